"""A comparison as a person watches it, on standard error: which trial, how far, and what each one gave."""

import time

from rich.console import Console
from rich.text import Text

from heed.cli.duration import spoken
from heed.cli.watching import QUIET_SECONDS, progress_on
from heed.comparing.compare import Began, Distrusted, Event, Measured, Stepped, Waited
from heed.comparing.results import TrialResult
from heed.comparing.trials import Plan


class ComparisonView:
    """Shows events as they come, keeps the results, and remembers whether the person asked to stop."""

    def __init__(self, console: Console, plan: Plan, quiet: bool) -> None:
        self.console = console
        self.quiet = quiet
        self.stopping = False
        self.results: list[TrialResult] = []
        self.trials = len(list(plan.trials()))
        self.progress = progress_on(console)
        self.bar = self.progress.add_task("comparing", total=float(self.trials), numbers="")
        self._began = time.monotonic()
        self._found_done = 0.0  # trials, and shares of trials, that were done before this command began
        self._begins = False  # the next step is the first that this command sees of its trial
        self._last_line = 0.0
        self._awaited = ""  # the trials of other processes that were named last

    @property
    def is_complete(self) -> bool:
        """Tell whether every trial has been measured."""
        return len(self.results) == self.trials

    def show(self, event: Event) -> bool:
        """Show one event; return whether to go on."""
        match event:
            case Began():
                self._begins = True
                self._line(f"{event.number} of {event.trials}: {event.trial.contender.name}, seed {event.trial.seed}")
            case Stepped():
                self._step(event)
            case Measured():
                self._measured(event)
            case Distrusted():
                self._line(
                    f"{event.trial.name}: its result, written by an older heed, does not say on which test data it was "
                    f"measured; the run is measured again"
                )
            case Waited():
                self._waited(event)
        return not self.stopping

    def _step(self, event: Stepped) -> None:
        report, done = event.report, len(self.results) + event.report.progress
        if self._begins:
            self._begins = False
            self._found_done += report.progress
        numbers = f"{event.trial.name}  step {report.step}  loss {report.loss:.3f}  {self._left(done)}"
        if self.console.is_terminal:
            self.progress.update(self.bar, completed=done, numbers=numbers)
        elif time.monotonic() - self._last_line >= QUIET_SECONDS:
            self._last_line = time.monotonic()
            self._line(f"{done / self.trials:4.0%}  {numbers}")

    def _measured(self, event: Measured) -> None:
        self._found_done += event.earlier
        self.results.append(event.result)
        result = event.result
        values = "  ".join(f"{name} {value:.4g}" for name, value in list(result.values.items())[:3])
        self._line(f"{event.trial.name}: {values}  ({result.steps} steps in {spoken(result.seconds)})")
        self.progress.update(self.bar, completed=len(self.results))

    def _waited(self, event: Waited) -> None:
        names = ", ".join(trial.name for trial in event.trials)
        if names != self._awaited:
            self._awaited = names
            self._line(f"waiting for other processes: {names}")

    def _left(self, done: float) -> str:
        now, fresh = time.monotonic() - self._began, done - self._found_done
        return f"{spoken(now * (self.trials - done) / fresh)} left" if fresh > 0.01 else ""

    def _line(self, text: str) -> None:
        if not self.quiet:
            self.console.print(Text(text), soft_wrap=True)
