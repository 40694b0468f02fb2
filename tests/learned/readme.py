"""The commands of assets/models/README.md, so that what is tried is what people are told to type."""

import pathlib
import re

README = pathlib.Path(__file__).resolve().parents[2] / "assets/models/README.md"


def section(heading: str) -> str:
    """What stands between this heading and the next one."""
    _, _, rest = README.read_text(encoding="utf-8").partition(f"### {heading}\n")
    assert rest, f"{README} has no section {heading!r}"
    return rest.split("\n### ")[0]


def program(heading: str, *changes: tuple[str, str]) -> str:
    """The Python program of a section, with what has to differ here; a change that finds nothing fails."""
    text = re.search(r"<<'PYTHON'\n(.*?)\nPYTHON\n", section(heading), re.DOTALL)
    assert text, f"{heading!r} has no program"
    return replaced(text.group(1), changes)


def command(heading: str, beginning: str, *changes: tuple[str, str]) -> str:
    """The line of a section that begins so, with what has to differ here."""
    lines = [line for line in section(heading).splitlines() if line.startswith(beginning)]
    assert len(lines) == 1, f"{heading!r} has {len(lines)} lines that begin with {beginning!r}"
    return replaced(lines[0], changes)


def replaced(text: str, changes: tuple[tuple[str, str], ...]) -> str:
    for old, new in changes:
        assert old in text, f"the README no longer says {old!r}"
        text = text.replace(old, new)
    return text
