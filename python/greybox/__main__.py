"""`greybox` and `python -m greybox`: the command-line tool that the package carries."""

import os
import sys
from pathlib import Path

_TOOL = Path(__file__).parent / "bin" / "greybox"


def main() -> None:
    """Become the tool, with the arguments of this process."""
    os.execv(_TOOL, ["greybox", *sys.argv[1:]])


if __name__ == "__main__":
    main()
