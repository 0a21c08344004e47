"""Makes calls again that were recorded, and tells what comes of each. Standard library only, Python 3.6 or later."""

import os
import random
import sys

from .importing import by_name
from .plain import NotPlain, dump, load

PRINTED = 400


def run(job, work, events):
    """Import the module `name` below `root`, and make the calls of each of `traces` of its `symbol`, with all seeds set
    to `seed`.

    An event "import" tells whether it could be had, an event "trace" what came of each: for each call a list of what it
    did ("returned", "raised" or "left out") and that as JSON, of a return with its arguments after it. An event "marks"
    tells which marks of a marked text all of that has passed.
    """
    root = os.path.join(work, job["root"])
    os.chdir(root)
    sys.argv = [job["name"]]
    event = {"event": "import", "ok": False}
    try:
        target = by_name(job["name"], root, job.get("file"))
        for part in job["symbol"].split("."):
            target = getattr(target, part)
        event["ok"] = True
    except BaseException as error:  # noqa: BLE001 -- importing may raise anything, SystemExit too
        event["raised"] = events.raised(error)
    events.emit(event)
    if not event["ok"]:
        return
    for number, trace in enumerate(job["traces"]):
        _seed(int(job["seed"]))
        events.emit(dict({"event": "trace", "number": number}, **_made_again(target, trace, events)))
    marking = sys.modules.get("xkg_inside.marking")
    if marking is not None:
        events.emit({"event": "marks", "marks": marking.taken()})


def _made_again(target, trace, events):
    steps, last = [], None
    one = target
    if trace["new"] is not None:
        one, told, last = _called(target, trace["new"], events, shown=False)
        steps.append(told)
    for step in trace["steps"] if not steps or steps[0][0] == "returned" else ():
        try:
            function = getattr(one, step[0]) if step[0] else one
        except BaseException as error:  # noqa: BLE001 -- an attribute may be computed
            steps.append(["raised", '"%s"' % type(error).__name__])
            last = last or events.raised(error)
            continue
        _, told, raised = _called(function, step, events)
        steps.append(told)
        last = last or raised
    return {"steps": steps, "raised": last}


def _called(function, step, events, shown=True):
    """What a call returned, what is told of it, and the record of what it raised."""
    try:
        args, kwargs = load(step[1]), load(step[2])
    except Exception as error:  # noqa: BLE001 -- a library that its arguments need may not be here
        return None, ["left out", '"%s"' % type(error).__name__], None
    try:
        value = function(*args, **kwargs)
        if hasattr(value, "__next__") and hasattr(value, "send"):
            value = [item for item, _ in zip(value, range(1000))]
    except BaseException as error:  # noqa: BLE001 -- what it raises is what came of it
        return None, ["raised", '"%s"' % type(error).__name__], events.raised(error)
    if not shown:
        return value, ["returned", "null"], None
    try:
        return value, ["returned", dump([value, [arg for arg in args if _changes(arg)]], whole=False)], None
    except NotPlain as error:
        return value, ["left out", '"%s"' % str(error)[:PRINTED].replace('"', "'").replace("\\", "/")], None


def _changes(argument):
    """Whether an argument may have been changed by a call in a way that others see."""
    return isinstance(argument, (list, dict, set, bytearray)) or type(argument).__name__ in ("ndarray", "Tensor")


def _seed(seed):
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)
