"""Training as a person watches it, on standard error: a bar with ETA, and a paragraph at each validation."""

import time

from rich.console import Console
from rich.text import Text

from heed.cli.duration import spoken
from heed.cli.watching import QUIET_SECONDS, progress_on
from heed.training.reports import StepReport

LONGEST_SAMPLE = 200  # characters


class TrainingView:
    """Shows reports as they come, and remembers whether the person asked to stop."""

    def __init__(self, console: Console, quiet: bool) -> None:
        self.console = console
        self.quiet = quiet
        self.stopping = False
        self.progress = progress_on(console)
        self.bar = self.progress.add_task("training", total=1.0, numbers="")
        self._tokens = 0
        self._since = time.monotonic()
        self._rate = 0.0
        self._began: tuple[float, float] | None = None
        self._last_line = 0.0

    def show(self, report: StepReport) -> bool:
        """Show one step; return whether to go on."""
        self._count(report)
        if not self.quiet:
            self._show_numbers(report)
            if report.validation is not None:
                self._show_validation(report)
        return not self.stopping

    def _count(self, report: StepReport) -> None:
        self._began = self._began or (report.progress, report.seconds)
        self._tokens += report.tokens
        now = time.monotonic()
        if now - self._since >= 1.0:
            # Smoothed, or it jumps with the length of the sentences in each batch.
            fresh = self._tokens / (now - self._since)
            self._rate = fresh if self._rate == 0 else 0.8 * self._rate + 0.2 * fresh
            self._tokens, self._since = 0, now

    def _show_numbers(self, report: StepReport) -> None:
        numbers = (
            f"{report.progress:4.0%}  step {report.step}  epoch {report.epoch + 1}  loss {report.loss:.3f}  "
            f"{self._rate:,.0f} tokens/s  rate {report.learning_rate:.1e}  {self._left(report)}"
        )
        if self.console.is_terminal:
            self.progress.update(self.bar, completed=report.progress, numbers=numbers)
        elif report.seconds - self._last_line >= QUIET_SECONDS:
            self._last_line = report.seconds
            self.console.print(Text(numbers), soft_wrap=True)

    def _left(self, report: StepReport) -> str:
        began_progress, began_seconds = self._began or (0.0, 0.0)
        done = report.progress - began_progress
        if done <= 0:
            return ""
        return f"{spoken((report.seconds - began_seconds) * (1 - report.progress) / done)} left"

    def _show_validation(self, report: StepReport) -> None:
        validation = report.validation
        assert validation is not None
        values = "  ".join(f"{name} {value:.3g}" for name, value in validation.values.items())
        star = "  best so far" if validation.better else ""
        # Text, not markup: a sentence may hold square brackets.
        self.console.print(
            Text(f"step {report.step} after {spoken(report.seconds)}: {values}{star}", style="bold"), soft_wrap=True
        )
        sample = validation.sample
        for name, text in (("source", sample.source), ("expected", sample.expected), ("predicted", sample.predicted)):
            if text:  # what a model writes freely has nothing that was expected
                self.console.print(Text(f"    {name:>9}  {_brief(text)}"), soft_wrap=True)


def _brief(text: str) -> str:
    """Return a sample on one line: a review may have a page of them."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_SAMPLE else f"{line[:LONGEST_SAMPLE]}…"
