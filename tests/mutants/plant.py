"""Plant known faults, one at a time, in a copy of the package, and report which ones the tests do not notice.

    make mutants
    .venv/bin/python tests/mutants/plant.py --only beam --jobs 1
    .venv/bin/python tests/mutants/plant.py --json > mutants.json

The working tree is never changed: each fault is planted in a temporary copy of `src/`, which `PYTHONPATH` puts first.
First the chosen tests must pass without a fault; a fault that they do not notice then lives, and needs a test.
Exit code 0: every fault was noticed. 1: a fault lives or could not be judged. 2: the table or the tests do not hold
to begin with. 130: interrupted.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from faults import ROOT, Fault, plant, problems, read_faults

PASSED, FAILED = 0, 1  # pytest's exit codes; the others mean that the tests could not be run
TIME_LIMIT = 300.0  # seconds for the tests of one fault


@dataclass(frozen=True)
class Verdict:
    """What became of one fault: "killed", "lives" or "error"; `detail` is the test that failed, or what went wrong."""

    name: str
    file: str
    outcome: str
    seconds: float
    detail: str


class Workshop:
    """A temporary folder with a clean copy of the package, and the test processes that run on copies of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._clean = folder / "clean"
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopped = False
        shutil.copytree(ROOT / "src", self._clean, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))

    def refuse_other_package(self) -> None:
        """Raise unless Python imports the copy: else every fault would seem to live."""
        command = [sys.executable, "-c", "import heed; print(heed.__file__)"]
        found = subprocess.run(command, env=self._environment(self._clean), capture_output=True, text=True, check=True)
        if self._clean.resolve() not in Path(found.stdout.strip()).resolve().parents:
            raise ValueError(f"Python imports {found.stdout.strip()} instead of the copy in {self._clean}")

    def run_clean(self, tests: list[str]) -> tuple[int, str]:
        """Return pytest's exit code and output on the unchanged copy."""
        return self._run(tests, self._clean, "unchanged", limit=None)

    def judge(self, number: int, fault: Fault) -> Verdict:
        """Plant the fault in a copy of its own and return what its tests say."""
        began = time.monotonic()
        place = self._folder / f"fault-{number}"
        try:
            shutil.copytree(self._clean, place)
            plant(fault, place)
            code, output = self._run(list(fault.tests), place, f"temporary-{number}", TIME_LIMIT)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        outcome = {PASSED: "lives", FAILED: "killed"}.get(code, "error")
        return Verdict(fault.name, fault.file, outcome, time.monotonic() - began, _detail(outcome, output))

    def stop(self) -> None:
        """End every test process, and let none begin."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)

    def _run(self, tests: list[str], source: Path, name: str, limit: float | None) -> tuple[int, str]:
        temporary = self._folder / name
        temporary.mkdir()
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--tb=line", "--no-header"]
        command += ["-p", "no:cacheprovider", "--basetemp", str(temporary / "pytest"), *tests]
        environment = {**self._environment(source), "TMPDIR": str(temporary)}
        try:
            process = self._start(command, environment)
            try:
                output, _ = process.communicate(timeout=limit)
                return process.returncode, output
            except subprocess.TimeoutExpired:
                return -1, f"the tests took longer than {limit:.0f} s"
            finally:
                _kill(process)
                with self._lock:
                    self._running.discard(process)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def _start(self, command: list[str], environment: dict[str, str]) -> "subprocess.Popen[str]":
        with self._lock:
            if self._stopped:
                raise KeyboardInterrupt
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
            self._running.add(process)
            return process

    def _environment(self, source: Path) -> dict[str, str]:
        # Failing examples must not be kept for later runs of the tests on the real source.
        examples = {"HYPOTHESIS_STORAGE_DIRECTORY": str(self._folder / "hypothesis")}
        return {**os.environ, **examples, "PYTHONPATH": str(source), "OMP_NUM_THREADS": "1"}


def judge_all(faults: list[Fault], jobs: int, workshop: Workshop) -> list[Verdict]:
    """Return a verdict on each fault, with a line of progress for each; what was judged before an interruption."""
    verdicts: list[Verdict] = []
    began = time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(workshop.judge, number, fault) for number, fault in enumerate(faults)]
        try:
            for future in as_completed(futures):
                verdicts.append(future.result())
                left = (time.monotonic() - began) / len(verdicts) * (len(faults) - len(verdicts))
                _tell(f"[{len(verdicts):3d}/{len(faults)}] {_line(verdicts[-1])}  ({_duration(left)} left)")
        except KeyboardInterrupt:
            _cancel(futures, workshop)
    return verdicts


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        faults = [fault for fault in read_faults() if options.only.lower() in f"{fault.file} {fault.name}".lower()]
        wrong = problems(faults) or ([] if faults else [f"no fault has {options.only!r} in its file or name"])
    except ValueError as error:
        wrong = [str(error)]
    if wrong:
        _tell("\n".join(wrong))
        return 2
    with tempfile.TemporaryDirectory(prefix="heed-mutants-") as folder:
        try:
            return _judged(faults, options, Workshop(Path(folder)))
        except KeyboardInterrupt:
            _tell("interrupted; the working tree is unchanged")
            return 130


def _judged(faults: list[Fault], options: argparse.Namespace, workshop: Workshop) -> int:
    workshop.refuse_other_package()
    tests = sorted({test for fault in faults for test in fault.tests})
    _tell(f"{len(faults)} faults; first their tests ({len(tests)}) on the unchanged package")
    try:
        code, output = workshop.run_clean(tests)
    except KeyboardInterrupt:
        workshop.stop()
        raise
    if code != PASSED:
        _tell(f"{output}\nThe tests fail without a fault, so nothing can be judged.")
        return 2
    verdicts = judge_all(faults, options.jobs, workshop)
    _report(verdicts, len(faults), options.json)
    if len(verdicts) < len(faults):
        raise KeyboardInterrupt
    return int(any(verdict.outcome != "killed" for verdict in verdicts))


def _report(verdicts: list[Verdict], total: int, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"faults": total, "verdicts": [asdict(verdict) for verdict in verdicts]}, indent=2))
        return
    for outcome in ("lives", "error"):
        for verdict in (each for each in verdicts if each.outcome == outcome):
            print(f"{_line(verdict)}\n{verdict.detail}")
    killed = sum(verdict.outcome == "killed" for verdict in verdicts)
    print(f"{killed} of {total} faults were noticed by the tests")


def _detail(outcome: str, output: str) -> str:
    """Return the test that noticed the fault, or the last lines of what pytest printed."""
    lines = output.strip().splitlines()
    if outcome == "killed":
        return next((line.split(" - ")[0] for line in lines if line.startswith(("FAILED ", "ERROR "))), "")
    return "\n".join(lines[-5:])


def _line(verdict: Verdict) -> str:
    return f"{verdict.outcome:6s} {verdict.seconds:5.1f} s  {verdict.file}: {verdict.name}"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _cancel(futures: "list[Future[Verdict]]", workshop: Workshop) -> None:
    for future in futures:
        future.cancel()
    workshop.stop()


def _kill(process: "subprocess.Popen[str]") -> None:
    """End a test process and all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # it and its children have ended
    process.wait()


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="only faults with this in their file or name")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="faults that are judged at a time (2)")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON; progress goes to stderr")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
