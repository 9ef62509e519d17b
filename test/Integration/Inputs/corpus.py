"""corpus.py <npu-run> <folder of models> <number of models> <target> <how their names begin> <folder>

Each model matches the host, runs on the NPU as a whole, and no kernel or network takes fewer cycles than its limit. What npu-run
prints is written to the last folder, where benchmarks/networks.py finds it."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "benchmarks"))
from measuring import name_report  # noqa: E402


def find_below_limit(report):
    """The lines of the report with fewer cycles than their limit; one of a network has both in two lines."""
    lines = re.findall(r"^  cycles .*", report, re.M)
    network = re.search(r"^on the NPU: .*, (\d+) cycles on .*(?:\n.*)*?^together: (limit \d+)", report, re.M)
    if network:
        lines.append(f"cycles {network[1]}, {network[2]}")
    figures = [(line, re.search(r"cycles (\d+).*limit (\d+)", line)) for line in lines]
    return [line for line, figure in figures if figure and int(figure[1]) < int(figure[2])]


tool, folder, count, target, names, reports = sys.argv[1:]
failed = []
models = sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir() and re.match(names, path.name))
if len(models) != int(count):
    sys.exit(f"expected {count} models, found {len(models)}")
for model in models:
    for name in ("flow.mlir", "input.mlir"):
        run = subprocess.run([tool, "--check", "--npu-fallback=error", f"--target={target}", "--parameters=model=random(1)", model / name],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        (pathlib.Path(reports) / name_report(model / name, target)).write_text(run.stdout)
        share = re.search(r"^on the NPU: (\d+) of (\d+) dispatches, (\d+) of (\d+) MACs", run.stdout, re.M)
        matches = run.returncode == 0 and re.search(r"^matches host$", run.stdout, re.M)
        print(f"{model.name} {name}: {share.group(0) if share else 'did not run'}", flush=True)
        is_whole = share and share.group(1) == share.group(2)
        below = find_below_limit(run.stdout)
        if not matches or not is_whole or below:
            failed.append("\n".join([f"{model.name} {name}: exit code {run.returncode}", *below, run.stdout[-2000:]]))
if failed:
    sys.exit("\n".join(failed))
