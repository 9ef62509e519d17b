"""Runs a command and says whether it took less memory than so many MiB at any time.

usage: peak.py <MiB> <command>...
"""

import resource
import subprocess
import sys

limit = int(sys.argv[1])
code = subprocess.call(sys.argv[2:])
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print("peak: less than", limit, "MiB" if peak < limit else f"MiB expected, found {peak}")
sys.exit(code)
