"""check-output.py <npu-quantize> <model> <folder>: what becomes of outputs that are no new files, and of temporary files when
the tool is told to end. Writes in the folder, which is empty."""

import os
import pathlib
import signal
import stat
import subprocess
import sys
import threading
import time

tool, model, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])


def run(output, samples=1):
    return subprocess.run([tool, model, "-o", output, f"--random-samples={samples}"], capture_output=True, text=True)


def check_files():
    """A link leads to the file, which keeps its permissions."""
    new, old, link, dangling = (folder / name for name in ("new.onnx", "old.onnx", "link.onnx", "dangling.onnx"))
    assert not run(new).returncode
    old.write_text("old")
    old.chmod(0o640)
    link.symlink_to("old.onnx")
    dangling.symlink_to("target.onnx")
    assert not run(link).returncode and not run(dangling).returncode
    assert link.is_symlink() and dangling.is_symlink() and stat.S_IMODE(old.stat().st_mode) == 0o640
    assert old.read_bytes() == (folder / "target.onnx").read_bytes() == new.read_bytes()


def check_pipe():
    pipe, found = folder / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    assert not run(pipe).returncode
    reader.join()
    assert found == [(folder / "new.onnx").read_bytes()] and stat.S_ISFIFO(pipe.stat().st_mode)


def check_failures():
    """A device that is full stays one, and so does a link to itself."""
    loop = folder / "loop"
    loop.symlink_to("loop")
    for output, reason in (("/dev/full", "No space left on device"), (loop, "Too many levels of symbolic links"),
                           (folder, "Is a directory")):
        result = run(output)
        assert result.returncode == 1 and result.stderr == f"npu-quantize: error: {output}: cannot write it: {reason}\n", result
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode) and loop.is_symlink()


def check_signal(number):
    temporary = folder / "temporary"
    temporary.mkdir()
    # What runs the tests may ignore it, and the tool would, too.
    signal.signal(number, signal.SIG_DFL)
    command = [tool, model, "-o", folder / "ended.onnx", "--random-samples=100000"]
    process = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(temporary)}, stderr=subprocess.PIPE)
    while not any(temporary.iterdir()):
        time.sleep(0.05)
    process.send_signal(number)
    assert process.communicate() == (None, b"") and process.returncode == 128 + number, process.returncode
    temporary.rmdir()


check_files()
check_pipe()
check_failures()
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    check_signal(number)
print(*sorted(path.name for path in folder.iterdir()))
