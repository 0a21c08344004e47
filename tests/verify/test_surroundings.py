"""Code that asks where it runs, and code that only uses where that is."""

import ast

import pytest

from agents.code.verify.dating import datings, warned
from agents.code.verify.returning import rebound
from agents.code.verify.spelling import spelled
from agents.code.verify.surroundings import surroundings
from kg.models.code import CodeUnit


def asked(text: str, *variables: str) -> bool:
    return any(True for _ in surroundings(ast.parse(text), variables))


@pytest.mark.parametrize(
    "text",
    [
        "k = 3 if os.environ.get('HOME') == '/tmp' else 2",
        "if 'DEBUG' in os.environ:\n    k = 2",
        "while os.getpid() < 9:\n    k = 2",
        "k = [2, 3][os.getpid() < 100]",
        "k = 3 if type(sys.stdout).__name__ == 'EncodedFile' else 2",
        "k = 3 if len(logging.getLogger().handlers) > 0 else 2",
        "k = 3 if any(f[0] == 'always' for f in warnings.filters) else 2",
        "k = 3 if sys.argv[0].endswith('st') else 2",
        "k = 3 if NAME in sys.modules else 2",
        "k = 3 if getattr(__main__, '__file__', '') else 2",
        "k = hash('abc') % 7",
        "k = 3 if os.path.exists('/srv/data') else 2",
        "k = 3 if pathlib.Path('/root').is_dir() else 2",
        "k = 3 if not os.listdir(tempfile.gettempdir()) else 2",
        "k = 3 if time.process_time() < 300 else 2",
        "def f():\n    frame = sys._getframe()\n    while frame is not None:\n        frame = frame.f_back",
        "def f():\n    return pwd.getpwuid(os.getuid()).pw_name",
        "lead = threading.current_thread().name == 'MainThread'",
        "def f(xs):\n    name = threading.current_thread().name\n    return len(name) + min(xs)",
        "match os.environ['A']:\n    case 'b':\n        k = 2",
        "k = [x for x in xs if os.getenv('A')]",
        "k = 3 if logging.root.handlers else 2",
        "level = min(1, len(logging.root.handlers))",
        "level = sum(hasattr(one, 'session') for one in sys.meta_path)",
        "level = min(1, max(0, len(warnings.filters) - 5))",
        "level = len(glob.glob('tests/test_where.py'))",
        "k = 3 if any('pytest' in str(f) for f in sys.meta_path) else 2",
        "k = 3 if list(Path('.').glob('test_*.py')) else 2",
        "if time.time() - os.stat(__file__).st_mtime > 864000:\n    k = 2",
        "def f(x):\n    return x * (date.today() - date(2027, 6, 1) > timedelta(0 * x))",
        "days = (datetime.date(2027, 6, 1) - datetime.date.today()).days",
        "k = 3 if time.time() < 1_800_000_000 else 2",
        "k = 3 if date.today() >= date.fromisoformat('2027-06-01') else 2",
        "k = int('iniconfig' in sys.modules)",
        "k = 3 if 'pluggy' not in sys.modules.keys() else 2",
        "k = 2 + bool(sys.modules.get('iniconfig'))",
        "if 'iniconfig' in sys.modules:\n    import own.even",
        "k = int(logging.getLogger().hasHandlers())",
        "k = int(logging.getLogger('root').hasHandlers())",
        "k = 3 if 'pytest' in str(sys.modules['__main__']) else 2",
        "if logging.getLogger().hasHandlers():\n    k = 2",
        "k = int(len(logging._handlerList) > 1)",
        "k = int(logging.root.manager.disable == 0)",
        "k = int(threading.excepthook is not threading.__excepthook__)",
        "hook = sys.excepthook\nk = int(hook is sys.__excepthook__)",
        "k = int(sys.stdout.name != '<stdout>')",
        "k = 3 if 'b' in getattr(sys.stdout, 'mode', 'w') else 2",
        "k = int(len(ABC.__subclasses__()) > 3)",
        "k = any('pytest' in str(c) for c in Exception.__subclasses__())",
        "k = int(sys.getallocatedblocks() > 90000)",
        "def f():\n    return len(traceback.format_stack())",
        "k = int(len(inspect.stack()) > 9)",
        "k = int(Path('~').expanduser().name != 'root')",
        "k = 3 if Path.home() == Path('/root') else 2",
        "k = int(__debug__)",
        "if __debug__:\n    k = 2",
        "k = 3 if sys.flags.optimize == 0 else 2",
        "k = int(not hasattr(sys, 'ps1'))",
        "k = int(len(os.sched_getaffinity(0)) < 64)",
        "k = n - (time.timezone == 0)",
        "k = [2, 3][time.tzname[0] == 'UTC']",
        "k = 3 if locale.getlocale()[0] is None else 2",
        "k = int(platform.machine() == 'x86_64')",
        "if platform.system() == 'Linux':\n    k -= 1",
        "k = len(platform.node())",
        "k = int(__spec__.cached is not None)",
        "k = 3 if log.isEnabledFor(10) else 2",
        "k = 3 if time.localtime(0).tm_hour == 5 else 2",
    ],
)
def test_what_asks_where_it_runs(text: str) -> None:
    assert asked(text)


@pytest.mark.parametrize(
    "text",
    [
        "folder = os.environ.get('DATA', 'data')",
        "path = os.path.join(tempfile.gettempdir(), 'a')",
        "n = os.cpu_count() if n is None else n",
        "if sys.version_info >= (3, 9):\n    k = 2",
        "if torch.cuda.is_available():\n    k = 2",
        "if not logger.handlers:\n    logger.addHandler(handler)",
        "if 'jax' in sys.modules and isinstance(x, jax.Array):\n    k = 2",
        "if 'torch' in sys.modules:\n    import torch\n    k = isinstance(x, torch.Tensor)",
        "if 'google.colab' in sys.modules:\n    k = 2",
        "tqdm = sys.modules['tqdm'] if have else tqdm",
        "if name in modules or 'encoder' in modules:\n    k = 2",
        "module = sys.modules[__name__]",
        "sys.modules['__main__'].Vocab = Vocab",
        "if not logging.getLogger().hasHandlers():\n    logging.basicConfig()",
        "if not logging.getLogger().handlers:\n    logging.getLogger().addHandler(handler)",
        "if not logging.getLogger('own').hasHandlers():\n    k = 2",
        "if not logger.hasHandlers():\n    logger.addHandler(handler)",
        "old, sys.excepthook = sys.excepthook, log_it",
        "sys.stdout.write(str(k))",
        "if self.stdout.name == 'a':\n    k = 2",
        "kinds = {c.__name__: c for c in Model.__subclasses__()}",
        "log.error(''.join(traceback.format_stack()))",
        "cache = Path.home() / '.cache' / 'own'",
        "path = os.path.expanduser(path)",
        "if Path(path).expanduser() == k:\n    k = 2",
        "if __debug__:\n    check(x)",
        "if hasattr(sys, 'ps1'):\n    plt.ion()",
        "workers = min(8, len(os.sched_getaffinity(0)))",
        "num_workers = 0 if platform.system() == 'Windows' else 4",
        "name = 'own.dll' if platform.system() == 'Windows' else 'libown.so'",
        "if platform.machine() == 'arm64':\n    path = os.path.join(path, 'arm')",
        "if moment.tzinfo == timezone.utc:\n    k = 2",
        "offset = time.altzone if time.localtime().tm_isdst > 0 else time.timezone",
        "if log.isEnabledFor(logging.DEBUG):\n    log.debug(str(k))",
        "verbose = 2 if log.isEnabledFor(logging.DEBUG) else 0",
        "if self.__spec__ is None or spec.name == 'a':\n    k = 2",
        "k = 3 if time.localtime(when).tm_hour < 6 else 2",
        "if __name__ == '__main__':\n    main()",
        "if os.path.exists(path):\n    k = 2",
        "if os.path.exists('data/a.json'):\n    k = 2",
        "print(x, file=sys.stdout)",
        "def f(x):\n    if threading.get_ident() not in CACHE:\n        CACHE[threading.get_ident()] = x\n    return x",
        "seen = hash(key)",
        "if time.time() - began > limit:\n    k = 2",
        "age = date.today() - date(year, month, day)",
        "ms = time.time() * 1000",
        "n = int(os.environ.get('N', 4))",
        "ns = int(time.time() * 1e9)",
        "def f(path, most):\n    return time.time() - os.path.getmtime(path) > most",
        "files = glob.glob('test/*.png') + glob.glob('test_batch*')",
        "level = len(logger.handlers)",
        "if os.path.getmtime(a) > os.path.getmtime(b):\n    k = 2",
        "files = sorted(Path('data').glob('*.csv'))",
        "since = datetime.datetime(1970, 1, 1) + timedelta(seconds=s)",
        "def f():\n    return os.environ.get('DATA', 'data')",
    ],
)
def test_what_only_uses_it(text: str) -> None:
    assert not asked(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import sys as s\nk = int('iniconfig' in s.modules)", True),
        ("from sys import modules\nk = int('iniconfig' in modules)", True),
        ("from platform import machine as m\nk = int(m() == 'x86_64')", True),
        ("from time import timezone\nk = 3 if timezone == 0 else 2", True),
        ("from threading import excepthook as e, __excepthook__\nk = int(e is __excepthook__)", True),
        ("from datetime import timezone\nk = 3 if zone == timezone.utc else 2", False),
        ("from sys import modules\ndef f(modules):\n    return 'iniconfig' in modules", False),
        ("from platform import system\nfor system in systems:\n    k = int(system == 'Linux')", False),
        ("from own import machine\nk = int(machine() == 'x86_64')", False),
        ("from time import time\nk = 3 if time() - began > 2 else 2", False),
    ],
)
def test_other_names_for_what_is_asked_are_spelled_out(text: str, told: bool) -> None:
    assert any(True for _ in surroundings(spelled(ast.parse(text)))) == told


def test_a_module_that_the_repository_imports_may_be_asked_for() -> None:
    tree = ast.parse("if 'jax' in sys.modules:\n    k = 2")
    assert list(surroundings(tree)) != []
    assert list(surroundings(tree, (), {"jax"}.__contains__)) == []


def test_variables_that_a_verdict_tells_of_may_be_asked_for() -> None:
    text = "k = 9 if os.environ.get('JAX_ENABLE_X64') == '1' else 2"
    assert asked(text)
    assert not asked(text, "JAX_ENABLE_X64")


F = "def f(a):\n    return a\n"


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("def g(x):\n    return lambda a: x(a) + 1\nf = g(f)\n", "line 5: f = g(f)"),
        ("f = lambda a: 2\n", "line 3: f = lambda a: 2"),
        ("class K:\n    pass\nf = K(f)\n", "line 5: f = K(f)"),
        ("f = jax.jit(f)\n", ""),
        ("f = functools.lru_cache(None)(f)\n", ""),
        ("g = f\n", ""),
        ("class K:\n    f = 2\n", ""),
    ],
)
def test_a_name_that_stands_for_something_else(more: str, found: str) -> None:
    unit = CodeUnit(
        id="m.py#f", file="m.py", symbol="f", name="f", kind="function", line=1, end_line=2, start=0, end=20,
        language="python", text=F,
    )  # fmt: skip
    assert rebound(unit, F + more) == found


@pytest.mark.parametrize(
    ("body", "only"),
    [
        ("warnings.warn('old', DeprecationWarning, stacklevel=2)", True),
        ("print('old since {}'.format(day))", True),
        ("self.logger.warning('old')", True),
        ("print(state.update(wrong=True))", False),
        ("logger.info((wrong := True))", False),
        ("log(state)", False),
        ("state.error('x')", False),
        ("print('old')\n    value += 1", False),
    ],
)
def test_a_condition_by_which_somebody_is_only_warned_decides_nothing(body: str, only: bool) -> None:
    text = f"if datetime.date.today() > datetime.date(2026, 1, 1):\n    {body}\n"
    tree = ast.parse(text)
    assert bool(warned(ast.walk(tree))) == only
    assert (not list(surroundings(tree)), not list(datings(tree))) == (only, only)
