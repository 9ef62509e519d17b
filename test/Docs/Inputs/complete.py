"""Prints what bash completes: complete.py COMPLETION BIN WORD..., where '=' is a word of its own, as bash has it."""

import subprocess
import sys

completion, binaries, *words = sys.argv[1:]
script = """
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_npu "$BIN/${1##*/}" "${COMP_WORDS[COMP_CWORD]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
subprocess.run(["bash", "-c", script, "complete", completion, *words], check=True, cwd="/", env={"BIN": binaries, "PATH": "/usr/bin:/bin"})
