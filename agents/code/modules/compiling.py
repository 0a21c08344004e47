"""Compiles modules of C, C++, Go and Java in the sandbox, where their toolchain is there."""

import re
import shutil
from pathlib import Path, PurePosixPath

from agents.code.modules.models import Module
from agents.execution.sandbox import Limits, RunSpec, Sandbox

__all__ = ["compile_module"]

MEBIBYTE = 1024 * 1024
_LIMITS = Limits(wall=120, memory=2048 * MEBIBYTE, disk=512 * MEBIBYTE)
_ERROR = re.compile(r"^.*\b(?:error|fatal)\b.*$|^.*\.go:\d+.*$", re.M)
_NAMES = {"c": "gcc", "c++": "g++", "go": "go", "java": "javac"}


def compile_module(module: Module, sandbox: Sandbox) -> Module:
    """The module, with a problem more if it does not compile, or if there is no compiler to say so.

    C and C++ are checked for syntax and types, Go is built and Java compiled; what comes from outside of the
    repository is only found where the sandbox has it. Raises SandboxError if the sandbox fails.
    """
    tool = _NAMES.get(module.language)
    if tool is None or not module.files:
        return (
            module if not module.files or module.language == "python" else _with(module, "no compiler is known for it")
        )
    argv, mounts, environment = _command(module, tool)
    if not mounts and not sandbox.has_program(tool):
        return _with(module, f"not compiled: there is no {tool} in the sandbox")
    files = {path: text.encode() for path, text in module.files.items()}
    result = sandbox.run(
        RunSpec(
            argv=argv,
            files=files,
            read_only=mounts,
            environment=environment,
            limits=_LIMITS,
            cwd=_folder(module),
            outputs=(),
        )
    )
    if result.passed:
        return module
    said = f"{result.stderr}\n{result.stdout}"
    first = _ERROR.search(said)
    why = result.limit or (first.group() if first else said.strip().partition("\n")[0])
    return _with(module, f"does not compile: {' '.join(why.split())[:200]}")


def _with(module: Module, problem: str) -> Module:
    return module.model_copy(update={"problems": tuple(sorted({*module.problems, problem}))})


def _folder(module: Module) -> str:
    """Where the compiler starts: in Go at the nearest go.mod, else at the top."""
    if module.language == "go":
        for folder in PurePosixPath(module.import_name).parents:
            if str(PurePosixPath(folder, "go.mod")) in module.files:
                return str(folder)
        return str(PurePosixPath(module.import_name).parent)
    return "."


def _command(module: Module, tool: str) -> tuple[tuple[str, ...], dict[str, Path], dict[str, str]]:
    """argv, mounts and environment of the compiler."""
    if tool == "go":
        return _go(module)
    if tool == "javac":
        sources = sorted(path for path in module.files if path.endswith(".java"))
        mounts = _jdk()
        binary = "/opt/jdk/bin/javac" if mounts else "javac"
        return (binary, "-proc:none", "-nowarn", "-d", "/work/.classes", *sources), mounts, {}
    folders = {str(folder) for path in module.files for folder in PurePosixPath(path).parents}
    standard = ("-std=gnu++17", "-x", "c++") if tool == "g++" else ("-std=gnu11", "-x", "c")
    includes = (f"-I{folder}" for folder in sorted(folders))
    return (tool, "-fsyntax-only", "-w", *standard, *includes, module.import_name), {}, {}


def _go(module: Module) -> tuple[tuple[str, ...], dict[str, Path], dict[str, str]]:
    has_module = any(path.endswith("go.mod") for path in module.files)
    package = PurePosixPath(module.import_name).parent.relative_to(_folder(module))
    environment = {
        "GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOCACHE": "/work/.cache", "GOPATH": "/work/.go",
        "GOTOOLCHAIN": "local", "CGO_ENABLED": "0", "GO111MODULE": "on" if has_module else "off",
    }  # fmt: skip
    host = shutil.which("go")
    root = Path(host).resolve().parent.parent if host else None
    arguments = ("build", "-o", "/dev/null", f"./{package}" if has_module else ".")
    if root is None:
        return ("go", *arguments), {}, environment
    return ("/opt/go/bin/go", *arguments), {"/opt/go": root}, environment | {"GOROOT": "/opt/go"}


def _jdk() -> dict[str, Path]:
    """The machine's JDK, with its configuration, which distributions keep elsewhere and link to."""
    host = shutil.which("javac")
    if host is None:
        return {}
    home = Path(host).resolve().parent.parent
    kept = (home / "conf" / "security" / "java.security").resolve().parent.parent
    return {"/opt/jdk": home} | ({"/opt/jdk/conf": kept} if kept != home / "conf" else {})
