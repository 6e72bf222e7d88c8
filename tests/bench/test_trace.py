"""The trace counts calls of the package's own functions, in every thread, and nothing else."""

from __future__ import annotations

import threading

from bench.trace import PACKAGE, ROWS, Step, Tracer, counts, rooms, trace_event

STEPS = [
    Step("main", 0, "daemon/sessions.py", "answer"),
    Step("main", 1, "projects.py", "Projects.answer"),
    Step("main", 2, "policy/engine.py", "judge"),
    Step("main", 3, "facts/gather.py", "gather"),
    Step("main", 3, "facts/gather.py", "gather"),
    Step("writer", 0, "store/writer.py", "write"),
]


def test_the_work_is_counted_apart_from_the_way_to_it():
    assert counts(STEPS) == {
        "modules outside": 2, "calls outside": 2, "engine calls": 3, "modules": 5, "calls": 6,
    }  # fmt: skip


def test_rooms_are_listed_with_their_modules():
    assert rooms(STEPS)[:2] == ["facts                    2 calls in 1 modules", f"  {'facts/gather.py':38}     2"]


def test_calls_of_threads_are_noted_and_those_of_other_code_are_not():
    tracer = Tracer(__file__.rpartition("/")[0] + "/")

    def work() -> None:
        thread = threading.Thread(target=inner, name="a-thread")
        thread.start()
        thread.join()

    def inner() -> None:
        """Runs in a thread."""

    with tracer.watching():
        inner()  # not on yet
        steps = tracer.trace(work)
        inner()
    assert [(step.thread, step.depth, step.name.rpartition(".")[2]) for step in steps] == [
        ("MainThread", 0, "work"),
        ("a-thread", 0, "inner"),
    ]
    assert {step.module for step in steps} == {"test_trace.py"}


def test_an_event_is_traced_from_request_to_reply():
    steps = trace_event()
    assert set(counts(steps)) == set(ROWS)
    assert not [step for step in steps if step.module.startswith("/")], PACKAGE
    assert {"facts", "policy", "store", "daemon"} <= {step.room for step in steps}
    assert {step.thread for step in steps} >= {"MainThread"}
