"""Runs a command on a CPU without AVX, which Debian's qemu-user emulates.

usage: without-avx.py <program> <arguments>...

First shows that the emulated CPU is one: AVX code runs on qemu's best CPU and not on this one.
"""

import resource
import signal
import subprocess
import sys

EMULATE = ["qemu-x86_64", "-cpu"]
WITHOUT_AVX = "Nehalem"

# vxorps ymm0, ymm0, ymm0; vzeroupper; ret
RUN_AVX = r"""
import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b"\xc5\xfc\x57\xc0\xc5\xf8\x77\xc3")
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
"""


def run_avx(cpu):
    command = EMULATE + [cpu, sys.executable, "-c", RUN_AVX]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if run_avx("max") != 0:
        sys.exit("expected qemu's best CPU to run AVX code")
    if run_avx(WITHOUT_AVX) != -signal.SIGILL:
        sys.exit(f"expected {WITHOUT_AVX} to refuse AVX code")
    print(f"{WITHOUT_AVX} has no AVX", flush=True)
    sys.exit(subprocess.run(EMULATE + [WITHOUT_AVX] + sys.argv[1:]).returncode)


main()
