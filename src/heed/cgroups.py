"""What a container lets this process use: the limits of Linux control groups, version 1 and version 2.

A limit on any folder above a process's own counts too, and the tightest one wins. Elsewhere than on Linux there is
nothing to read, and nothing is limited.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ContainerLimits:
    """The tightest limits; None where there is none."""

    processors: float | None = None  # processors' worth of time
    memory: int | None = None  # bytes
    memory_left: int | None = None  # bytes that may still be taken


def container_limits(
    membership: Path = Path("/proc/self/cgroup"), root: Path = Path("/sys/fs/cgroup")
) -> ContainerLimits:
    """Return the limits of the groups that the membership file names."""
    lines = [line.split(":", 2) for line in read_system_file(membership).splitlines() if line.count(":") >= 2]
    quotas = [quota for folder in _folders("cpu", lines, root) if (quota := _processors(folder)) is not None]
    memory = [both for folder in _folders("memory", lines, root) if (both := _memory(folder)) is not None]
    return ContainerLimits(
        processors=min(quotas, default=None),
        memory=min((limit for limit, _ in memory), default=None),
        memory_left=min((limit - used for limit, used in memory), default=None),
    )


def read_system_file(path: Path) -> str:
    """Return what a file of the system says, nothing where the system has no such file."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _folders(controller: str, lines: list[list[str]], root: Path) -> list[Path]:
    """Return the folders that may limit this process, its own first."""
    found = []
    for _, controllers, own in lines:
        if controllers == "":  # version 2, alone or beside version 1
            bases = [root, root / "unified"]
        elif controller in controllers.split(","):
            bases = [root / controllers, root / controller]
        else:
            continue
        for base in bases:
            folder = base / own.lstrip("/")
            found += [folder, *(above for above in folder.parents if above.is_relative_to(base))]
    return found


def _processors(folder: Path) -> float | None:
    words = read_system_file(folder / "cpu.max").split() or [
        read_system_file(folder / "cpu.cfs_quota_us").strip(),
        read_system_file(folder / "cpu.cfs_period_us").strip(),
    ]
    # Without a limit the first word is "max" in version 2 and "-1" in version 1.
    return int(words[0]) / int(words[1]) if len(words) == 2 and all(map(str.isdecimal, words)) else None


def _memory(folder: Path) -> tuple[int, int] | None:
    """Return (limit, used) in bytes; file caches that can be given back do not count as used."""
    for limit_name, used_name, cache_name in (
        ("memory.max", "memory.current", "inactive_file"),
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    ):
        limit, used = (read_system_file(folder / name).strip() for name in (limit_name, used_name))
        if limit.isdecimal() and used.isdecimal():
            statistics = dict(line.split() for line in read_system_file(folder / "memory.stat").splitlines())
            return int(limit), max(0, int(used) - int(statistics.get(cache_name, 0)))
    return None
