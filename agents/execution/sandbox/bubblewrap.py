"""The backend `bubblewrap`: namespaces, a seccomp filter, tmpfs of limited size; no daemon and no root needed."""

import os
from functools import cached_property

from agents.execution.sandbox.bubblewrap_launch import launched
from agents.execution.sandbox.cgroups import make_group
from agents.execution.sandbox.models import Backend, Limits, Protection, Result, RunSpec, SandboxError
from agents.execution.sandbox.places import check_inputs
from agents.execution.sandbox.programs import Program
from agents.execution.sandbox.seccomp import program
from agents.execution.sandbox.supervise import supervised

__all__ = ["BubblewrapSandbox"]

ALWAYS = {
    "wall": "supervisor",
    "disk": "tmpfs of limited size",
    "output": "supervisor",
    "files": "mount namespace",
    "network": "network namespace",
    "processes": "pid namespace",
    "privileges": "user namespace, no capabilities, no new privileges",
}


class BubblewrapSandbox:
    """Runs through `program`, a bubblewrap. A privileged xkg gives up its user first.

    Memory, processor time and processes are limited by a control group where one can be made, and polled otherwise or
    if `groups` is off.
    """

    name: Backend = "bubblewrap"

    def __init__(self, program: Program, *, groups: bool = True) -> None:
        self.program, self.groups = program, groups
        self.privileged = os.geteuid() == 0

    @cached_property
    def _limited(self) -> dict[str, str]:
        group = make_group(Limits(), memory=0, overhead=0) if self.groups else None
        if group is None:
            return dict.fromkeys(("memory", "pids", "cpu"), "polled by the supervisor")
        group.end()
        return group.enforced

    def capabilities(self) -> dict[str, str]:
        """Each protection that is enforced here, and how."""
        filtered = {"syscalls": "seccomp filter"} if program() else {}
        return {**ALWAYS, **filtered, **self._limited}

    def run(self, spec: RunSpec) -> Result:
        """See the protocol."""
        check_inputs(spec)
        waived: tuple[Protection, ...] = ()
        if program() is None:
            if "syscalls" not in spec.waive:
                raise SandboxError(
                    f"no filter of system calls is known for {os.uname().machine}",
                    remedy="use the docker backend, or waive it by name (`--waive syscalls`)",
                )
            waived = ("syscalls",)
        with launched(self.program, spec, privileged=self.privileged, groups=self.groups) as running:
            result = supervised(spec, running)
        enforced = {**ALWAYS, **running.gauge.enforced} | ({} if waived else {"syscalls": "seccomp filter"})
        return result.model_copy(update={"enforced": enforced, "waived": waived})
