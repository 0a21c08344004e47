"""The attempts: what each is called, what proves that it is contained, and where its control can run."""

import stat
from typing import Any

import pytest
from escapes_run import BOMB, FOLDER, LIMITS, MIB, WALL_SHORT, Attempt, Ran

from agents.execution.sandbox import Sandbox
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox

WORD = frozenset({"refused"})
DONE = frozenset({"done"})
SHORT = {"wall": WALL_SHORT}


def _few(ran: Ran) -> list[str]:
    """No more processes than were allowed."""
    said: Any = ran.said("refused") or ran.said("escaped") or {}
    started = said.get("started", 0) if isinstance(said, dict) else 0
    return [f"{started} processes started"] if started > LIMITS.pids else []


def _little(ran: Ran) -> list[str]:
    """Never much more memory than was allowed, by the attempt's own count and by the sandbox's.

    Where the supervisor has to look, what is taken between two looks is taken; that the run is then ended is proof.
    """
    counts = [detail for word, detail in ran.words if word == "trying" and isinstance(detail, int)]
    most = max([*counts, ran.result.peak_memory or 0])
    polled = "polled" in ran.result.enforced.get("memory", "")
    return [f"{most // MIB} MiB taken"] if most > LIMITS.memory + 192 * MIB and not polled else []


def _small(ran: Ran) -> list[str]:
    """Neither stream more than the limit allows."""
    sizes = [len(text.encode()) for text in (ran.result.stdout, ran.result.stderr)]
    return [f"{max(sizes)} bytes of output"] if max(sizes) > 4 * LIMITS.output else []


def _not_passed(ran: Ran) -> list[str]:
    """A run that failed is not reported as a success."""
    return ["a failure was reported as success"] if ran.result.passed else []


def _plain_outputs(ran: Ran) -> list[str]:
    """What is listed as outputs is what lies there: names below the folder, no links, no folders, sizes right."""
    traces = []
    for output in ran.result.outputs:
        if output.path.startswith("/") or ".." in output.path.split("/"):
            traces.append(f"the output {output.path!r} is not below the working folder")
        kept = ran.kept / "kept" / output.path if ran.kept and len(output.path) < 250 else None
        if kept and kept.exists() and (not stat.S_ISREG(kept.lstat().st_mode) or kept.stat().st_size != output.size):
            traces.append(f"the output {output.path!r} is not what it is said to be")
    names = {output.path for output in ran.result.outputs}
    linked = [name for name in names if name.split("/")[0].startswith(("link", "circle", "waits", "pipe", "socket"))]
    return traces + [f"{name!r} is listed as a file" for name in linked]


def _honest(ran: Ran) -> list[str]:
    """The one file that is what it seems is among the outputs."""
    return [
        *_plain_outputs(ran),
        *([] if "honest" in {o.path for o in ran.result.outputs} else ["`honest` is missing"]),
    ]


def _limit(name: str, *words: str, **kwargs: Any) -> dict[str, Any]:
    return {"proof": frozenset({name, *words}), **kwargs}


BESIDE = ("search_tree",)
"""Those that look for a run beside theirs."""

SPECIAL: dict[str, dict[str, Any]] = {
    "read_shadow": {"control": "root"},
    "write_outside": {"proof": DONE},
    "write_shared": {"proof": DONE},
    "state_between_runs": {"proof": DONE, "twice": True},
    "remount": {"control": "root"},
    "mount": {"control": "root"},
    "pivot_root": {"control": "root"},
    "open_by_handle": {"control": "root"},
    "udp": {"proof": DONE},
    "raw_sockets": {"control": "root"},
    "fork_bomb": _limit("pids", "refused", check=_few),
    "fork_bomb_wild": _limit("pids", "wall", limits=SHORT, alone=True, control="no: it would not end"),
    "fork_and_leave": _limit("done", "pids", control="no: it could not be caught"),
    "thread_bomb": _limit("pids", "refused", check=_few),
    "zombies": _limit("pids", "refused", check=_few),
    "memory_one": _limit("memory", "refused", check=_little),
    "memory_forked": _limit("memory", "refused", check=_little),
    "memory_shared": _limit("memory", "refused", check=_little),
    "memory_memfd": _limit("memory", "refused", check=_little),
    "memory_tmpfs": _limit(
        "memory", "refused", "disk", check=_little, control="no: the folders would be the host's disk"
    ),
    "memory_sysv": _limit("memory", "refused", check=_little),
    "memory_sockets": _limit("memory", "refused", "pids", check=_little, control="no: the system's own limit holds"),
    "memory_page_tables": _limit("memory", "refused", check=_little),
    "output_stdout": _limit("output", check=_small),
    "output_stderr": _limit("output", check=_small),
    "output_endless_line": _limit("output", check=_small),
    "disk_one_file": _limit("disk", "refused"),
    "disk_many_files": _limit("disk", "refused"),
    "disk_empty_files": _limit("disk", "refused", "memory"),
    "disk_unlinked": _limit("disk", "refused"),
    "disk_reserved": _limit("disk", "refused"),
    "disk_elsewhere": _limit("disk", "refused", "memory"),
    "disk_sparse": {"proof": frozenset({"done", "disk"}), "control": "no: nothing collects a control's outputs"},
    "cpu_many": _limit("cpu", limits={"cpu": 1.5}, alone=True),
    "cpu_relay": _limit("cpu", limits={"cpu": 1.5}, alone=True),
    "ignore_signals": _limit("wall", limits=SHORT),
    "stop_itself": _limit("wall", limits=SHORT),
    "alg_socket": {"control": "kernel"},
    "vsock": {"control": "kernel"},
    "foreign_calls": {"control": "kernel"},
    "vfork_hang": _limit("wall", limits=SHORT),
    "close_and_sleep": _limit("wall", limits=SHORT, control="no: an ordinary timeout ends it"),
    "hold_pipes": {"proof": DONE},
    "daemon": {"proof": DONE},
    "kill_everything": {"proof": frozenset({"killed"}), "check": _not_passed, "control": "no: it would end the tests"},
    "forge_result": {"proof": frozenset({"killed"}), "check": _not_passed, "control": "no: there is no supervisor"},
    "writable_places": {"control": "root"},
    "poison_python": {"control": "root"},
    "kernel_files": {"control": "root"},
    "sysctls": {"control": "root"},
    "cgroup_files": {"control": "root"},
    "devices": {"control": "root"},
    "make_devices": {"control": "root"},
    "become_root": {"control": "root"},
    "capabilities": {"control": "root"},
    "privileged_calls": {"control": "root"},
    "other_namespaces": {"control": "root"},
    "kernel_identity": {"control": "root"},
    "setuid_programs": {"control": "nobody"},
    "terminal": {"control": "no: a control has a session of its own; the command line's test has one with a terminal"},
    "stdin_and_argv": {"control": "no: a pipe can be written by its reader through /proc only where it is one"},
    "stream_kinds": {},
    "outputs_links": {"proof": DONE, "check": _honest, "control": "no: nothing collects a control's outputs"},
    "outputs_special": {"proof": DONE, "check": _honest, "control": "no: nothing collects a control's outputs"},
    "outputs_names": {"proof": DONE, "check": _plain_outputs, "control": "no: nothing collects a control's outputs"},
    "outputs_collide": {"proof": DONE, "check": _honest, "control": "no: nothing collects a control's outputs"},
    "outputs_deep": {
        "proof": frozenset({"done", "disk"}),
        "check": _plain_outputs,
        "control": "no: nothing collects a control's outputs",
    },
    "outputs_closed": {"proof": DONE, "check": _plain_outputs, "control": "no: nothing collects a control's outputs"},
    "outputs_many": _limit("disk", "done", check=_plain_outputs, control="no: nothing collects a control's outputs"),
    "outputs_changing": {"proof": DONE, "check": _honest, "control": "no: it could not be caught"},
    "outputs_replaced": {"proof": DONE, "check": _plain_outputs, "control": "no: /work is the sandbox's"},
}

ATTEMPTS = tuple(
    Attempt(path.stem, **SPECIAL.get(path.stem, {})) for path in sorted(FOLDER.glob("*.py")) if path.stem != "probe"
)
assert {attempt.name for attempt in ATTEMPTS} >= SPECIAL.keys(), SPECIAL.keys() - {a.name for a in ATTEMPTS}
assert BOMB["memory"] > LIMITS.memory

BACKENDS = (
    pytest.param("bubblewrap", marks=pytest.mark.sandbox),
    pytest.param("docker", marks=pytest.mark.dockerd),
)
POLLED = pytest.param("polled", marks=pytest.mark.sandbox)
"""bubblewrap as an ordinary user without control groups has it."""


def attempts_on(sandbox: Sandbox) -> list[Attempt]:
    """The attempts that are made on a backend: where limits are polled only those that concern limits."""
    polled = isinstance(sandbox, BubblewrapSandbox) and not sandbox.groups
    return [attempt for attempt in ATTEMPTS if attempt.about_limits or not polled]
