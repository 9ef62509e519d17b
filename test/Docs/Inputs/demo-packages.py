"""demo-packages.py <common.sh>: the packages of Debian that building the tools needs, one a line."""

import subprocess
import sys

script = f'source "{sys.argv[1]}"; printf "%s\\n" "${{build_packages[@]}}"'
subprocess.run(["bash", "-c", script], check=True)
