"""Runs suites against one mutant after the other."""

import os
import resource
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field


@dataclass
class Test:
    name: str
    seconds: float = 0.0
    reached: set = field(default_factory=set)
    kills: int = 0


def limits():
    """A mutant may take all memory or fill the disk. Neither counts what LMDB maps."""
    resource.setrlimit(resource.RLIMIT_DATA, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (32 << 30, 32 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Runner:
    def __init__(self, program, work, suites, sanitizer):
        self.program = program
        self.suites = tuple(f"{suite}." for suite in suites)
        # A sanitizer's shadow memory counts as data.
        self.limits = None if sanitizer else limits
        self.slowness = 6 if sanitizer else 1
        self.temporary = work / "tmp"
        self.notes = work / "notes"
        # What a mutant leaves behind, processes and mounts, goes with its namespaces, where we may
        # have some.
        self.box = [
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "bash",
            "-c",
            '"$@"; exit $?',
            "bash",
        ]
        if subprocess.run([*self.box, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            self.box = []

    def tests(self):
        """The functions of the suites."""
        listed = subprocess.run(
            [str(self.program), "--testing-library", "swift-testing", "--list-tests"],
            text=True,
            capture_output=True,
            check=True,
        )
        return [
            Test(line.strip())
            for line in listed.stdout.splitlines()
            if line.startswith(self.suites)
        ]

    def run(self, tests, timeout, **environment):
        """Runs tests to the first failure. Returns "passed", "failed", "ended" (by a trap or a
        signal) or "timed out", and what said so."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir(parents=True)
        escaped = (
            "".join("\\" + c if c in "().[]?*+^$|{}\\" else c for c in test.name) for test in tests
        )
        pattern = "^(" + "|".join(escaped) + ")(/|$)"
        process = subprocess.Popen(
            [
                "nice",
                *self.box,
                str(self.program),
                "--testing-library",
                "swift-testing",
                "--no-parallel",
                "--filter",
                pattern,
            ],
            env=dict(
                os.environ,
                SWIFT_BACKTRACE="enable=no",
                TSAN_OPTIONS="halt_on_error=1",
                ASAN_OPTIONS="detect_leaks=0",
                TMPDIR=str(self.temporary),
                NO_COLOR="1",
                **environment,
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            preexec_fn=self.limits,
            start_new_session=True,
        )
        late = threading.Event()

        def end():
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(timeout, lambda: (late.set(), end()))
        timer.start()
        said, ran, outcome = "", 0, None
        for raw in process.stdout:
            line = raw.decode(errors="replace").strip()
            if " recorded an issue" in line:
                outcome, said = "failed", line
                break
            if (
                "Fatal error" in line
                or "WARNING: ThreadSanitizer" in line
                or "ERROR: AddressSanitizer" in line
                or line.startswith("FreeholdStorage/")
            ):
                said = line
            if "Test run with " in line:
                ran = int(line.split("Test run with ")[1].split()[0])
        if outcome:
            end()
        process.stdout.close()
        status = process.wait()
        timer.cancel()
        if late.is_set():
            return "timed out", f"after {timeout:.0f} s"
        if outcome:
            return outcome, said
        if status != 0:
            return "ended", said or f"status {status}"
        if ran != len(tests):
            return "failed", f"{ran} of {len(tests)} tests ran"
        return "passed", ""

    def survey(self, tests, say):
        """Runs each test alone: how long it takes, and which mutants it reaches. Returns those
        that pass."""
        good = []
        for index, test in enumerate(tests):
            self.notes.unlink(missing_ok=True)
            begin = time.monotonic()
            outcome, said = self.run(
                [test], 300 * self.slowness, FREEHOLD_MUTANT_NOTES=str(self.notes)
            )
            test.seconds = time.monotonic() - begin
            if self.notes.exists():
                test.reached = {int(line) for line in self.notes.read_text().split()}
            if outcome == "passed":
                good.append(test)
            else:
                say(f"left out, for it fails without a mutant: {test.name}: {outcome} {said}")
            if index % 50 == 49:
                say(f"surveyed {index + 1} of {len(tests)} tests")
        return good


def batches(tests):
    """Tests that tell the most a second first; few a process, so that a process ends early."""
    ordered = sorted(tests, key=lambda test: test.seconds / (1 + 3 * test.kills))
    batch, seconds, limit = [], 0.0, 2.0
    for test in ordered:
        if batch and seconds + test.seconds > limit:
            yield batch
            batch, seconds, limit = [], 0.0, min(limit * 2, 30.0)
        batch.append(test)
        seconds += test.seconds
    if batch:
        yield batch


def judge(runner, number, tests, budget):
    """What becomes of a mutant: killed, timed out (which kills it, too), survived, not reached, or
    unfinished."""
    reaching = [test for test in tests if number in test.reached]
    if not reaching:
        return "not reached", ""
    spent = 0.0
    for batch in batches(reaching):
        expected = sum(test.seconds for test in batch)
        if budget and spent + expected > budget:
            return (
                "unfinished",
                f"{spent:.0f} s of {sum(test.seconds for test in reaching):.0f} s of tests",
            )
        spent += expected
        outcome, said = runner.run(
            batch, (20 + 8 * expected) * runner.slowness, FREEHOLD_MUTANT=str(number)
        )
        if outcome == "timed out":
            return "timed out", said
        if outcome != "passed":
            for test in batch:
                if test.name.split("/")[-1].split("(")[0] in said:
                    test.kills += 1
            return "killed", said
    return "survived", ""
