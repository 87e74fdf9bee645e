"""Run, test and build Roofline Explorer from a checkout, on a bare machine, with nothing but Python."""

import sys

OLDEST = (3, 11)

# This file alone is read by whatever Python the machine has, so it keeps to words that old ones understand.
if sys.version_info < OLDEST:
    sys.exit(
        "Roofline Explorer needs Python %d.%d or newer; this is Python %d.%d (%s)."  # noqa: UP031
        % (OLDEST + sys.version_info[:2] + (sys.executable,))
    )

from devtools.commands import main  # noqa: E402  (after the check above, or old Pythons meet words they cannot read)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
