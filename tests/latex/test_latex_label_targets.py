"""A label names the piece around it, however many pieces there are."""

from pathlib import Path

from ingest.latex import parse_paper

MANY = 60


def test_labels_of_nested_environments_name_their_own_piece(tmp_path: Path) -> None:
    parts = [
        f"\\begin{{algorithm}}\\begin{{algorithmic}}\\STATE x\\end{{algorithmic}}\\label{{alg:{n}}}\\end{{algorithm}}\n"
        f"\\begin{{equation}}\\label{{eq:{n}}} x = {n} \\end{{equation}}\n"
        f"\\begin{{figure}}\\caption{{F}}\\label{{fig:{n}}}\\end{{figure}}\n"
        for n in range(MANY)
    ]
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\n" + "".join(parts) + "\\end{document}\n"
    )
    doc = parse_paper(tmp_path).doc
    assert {label.key: label.target for label in doc.labels} == {
        f"{kind}:{n}": f"{kind}/{kind}:{n}" for kind in ("alg", "eq", "fig") for n in range(MANY)
    }
