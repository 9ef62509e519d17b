"""Runs a command in a pseudo-terminal and prints what it writes there, with escapes spelled out."""

import os
import pty
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
output = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # the other end is closed
        break
    if not part:
        break
    output += part
_, status = os.waitpid(pid, 0)
text = output.decode().replace("\r\n", "\n").replace("\r", "<CR>").replace("\033[K", "<EL>\n")
print(text)
sys.exit(os.waitstatus_to_exitcode(status))
