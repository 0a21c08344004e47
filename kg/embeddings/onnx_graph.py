"""all-MiniLM-L6-v2 as one ONNX file, built from its safetensors weights without torch.

The graph is BERT (Devlin et al. 2019) as `transformers` computes it in fp32, followed by what sentence-transformers
adds for this model: the mean over the tokens of the mask, then L2 normalisation.
Inputs `input_ids`, `attention_mask`, `token_type_ids`: int64 ``[batch, tokens]``; output `sentence_embedding`:
float32 ``[batch, hidden]``.
"""

import json
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

__all__ = ["RECIPE", "build"]

Array = npt.NDArray[np.generic]
RECIPE = 1
"""Goes up when the graph built here changes, so that files made before are not used."""
OPSET = 17
IR_VERSION = 9
MASKED = -3.4e38
"""Added to the attention score of a padded token; just inside the range of float32."""


class _Graph:
    """Collects nodes and constants; methods return the name of what they add."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: Array) -> str:
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def floats(self, name: str, value: float) -> str:
        return self.constant(name, np.array(value, np.float32))

    def integers(self, name: str, *values: int) -> str:
        return self.constant(name, np.array(values, np.int64))

    def weight(self, key: str) -> str:
        return self.constant(key, self.weights[key].astype(np.float32))

    def node(self, op: str, *inputs: str, name: str | None = None, **attributes: Any) -> str:
        output = name or f"{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [output], **attributes))
        return output

    def linear(self, x: str, key: str) -> str:
        matrix = self.constant(f"{key}.weight.T", self.weights[f"{key}.weight"].T.astype(np.float32))
        return self.node("Add", self.node("MatMul", x, matrix), self.weight(f"{key}.bias"))

    def layer_norm(self, x: str, key: str, epsilon: float) -> str:
        return self.node(
            "LayerNormalization", x, self.weight(f"{key}.weight"), self.weight(f"{key}.bias"), axis=-1, epsilon=epsilon
        )

    def gelu(self, x: str) -> str:
        erf = self.node("Erf", self.node("Div", x, self.floats("sqrt2", 2**0.5)))
        return self.node(
            "Mul", self.node("Mul", x, self.node("Add", erf, self.floats("one", 1.0))), self.floats("half", 0.5)
        )


def _embeddings(g: _Graph, epsilon: float) -> str:
    length = g.node("Gather", g.node("Shape", "input_ids"), g.integers("axis_tokens", 1))
    positions = g.node(
        "Slice",
        g.weight("embeddings.position_embeddings.weight"),
        g.integers("zero", 0),
        length,
        g.integers("axis_rows", 0),
    )
    words = g.node("Gather", g.weight("embeddings.word_embeddings.weight"), "input_ids")
    types = g.node("Gather", g.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
    return g.layer_norm(g.node("Add", g.node("Add", words, types), positions), "embeddings.LayerNorm", epsilon)


def _layer(g: _Graph, x: str, index: int, *, heads: int, size: int, bias: str, epsilon: float) -> str:
    """One transformer layer: self-attention and feed-forward, each with its residual and norm."""
    prefix = f"encoder.layer.{index}."
    split = g.integers("split_heads", 0, 0, heads, size)
    merge = g.integers("merge_heads", 0, 0, heads * size)

    def project(part: str, order: list[int]) -> str:
        return g.node("Transpose", g.node("Reshape", g.linear(x, f"{prefix}attention.self.{part}"), split), perm=order)

    query, key, value = project("query", [0, 2, 1, 3]), project("key", [0, 2, 3, 1]), project("value", [0, 2, 1, 3])
    scores = g.node("Mul", g.node("MatMul", query, key), g.floats("scale", size**-0.5))
    attention = g.node("Softmax", g.node("Add", scores, bias), axis=-1)
    mixed = g.node("Transpose", g.node("MatMul", attention, value), perm=[0, 2, 1, 3])
    attended = g.linear(g.node("Reshape", mixed, merge), f"{prefix}attention.output.dense")
    x = g.layer_norm(g.node("Add", attended, x), f"{prefix}attention.output.LayerNorm", epsilon)
    wide = g.gelu(g.linear(x, f"{prefix}intermediate.dense"))
    return g.layer_norm(g.node("Add", g.linear(wide, f"{prefix}output.dense"), x), f"{prefix}output.LayerNorm", epsilon)


def _mean(g: _Graph, x: str, mask: str) -> str:
    """The mean over unmasked tokens, as a matrix product.

    onnxruntime's ReduceSum adds in another order for another batch size, so that a text's vector would depend on its
    neighbours in the last bit; its MatMul treats each text alone.
    """
    row = g.node("Unsqueeze", mask, g.integers("axis_row", 1))
    total = g.node("Squeeze", g.node("MatMul", row, x), g.integers("axis_row", 1))
    count = g.node("ReduceSum", mask, g.integers("axis_tokens", 1), keepdims=1)
    return g.node("Div", total, count)


def build(source: Path, target: BinaryIO) -> None:
    """Write the ONNX file `target` from the folder `source` (config.json, model.safetensors); about ten seconds."""
    config = json.loads((source / "config.json").read_text("utf-8"))
    epsilon, heads = float(config["layer_norm_eps"]), int(config["num_attention_heads"])
    hidden = int(config["hidden_size"])
    g = _Graph(load_file(source / "model.safetensors"))
    x = _embeddings(g, epsilon)
    mask = g.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    hidden_keys = g.node("Sub", g.floats("one", 1.0), g.node("Unsqueeze", mask, g.integers("axes_heads", 1, 2)))
    bias = g.node("Mul", hidden_keys, g.floats("masked", MASKED))
    for index in range(int(config["num_hidden_layers"])):
        x = _layer(g, x, index, heads=heads, size=hidden // heads, bias=bias, epsilon=epsilon)
    mean = _mean(g, x, mask)
    g.node("LpNormalization", mean, name="sentence_embedding", axis=-1, p=2)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", hidden])
    graph = helper.make_graph(g.nodes, "all-MiniLM-L6-v2", inputs, [output], list(g.constants.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = IR_VERSION
    onnx.checker.check_model(model)
    target.write(model.SerializeToString())
