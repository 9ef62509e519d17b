"""check-page.py <report directory> [max bytes]: opens report.html in a headless Chromium, where it must load without any error, and
compares what it shows with the CSV files beside it: every cell of every table, and every point of the roofline. Then uses a copy of the
page, as exercise-page.js says."""
import csv
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

directory = pathlib.Path(sys.argv[1]).resolve()
page = directory / "report.html"
max_bytes = int(sys.argv[2]) if len(sys.argv) > 2 else 5 << 20


class Page(html.parser.HTMLParser):
    """Rows of cells by the id of their table, points of the roofline, and what would load or run something."""

    def __init__(self):
        super().__init__()
        self.tables, self.points, self.texts = {}, {}, {}
        self.tags, self.scripts, self.ready, self.exercised = set(), 0, False, False
        self.table = self.cell = self.text = None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.add(tag)
        self.scripts += tag == "script"
        if tag == "body":
            self.ready = attributes.get("data-ready") == "yes"
            self.exercised = attributes.get("data-exercised") == "yes"
        if tag == "table":
            self.table = self.tables.setdefault(attributes["id"], [])
        elif tag == "tr":
            self.table.append([])
        elif tag in ("th", "td"):
            self.cell = ""
        elif tag == "circle":
            self.points[int(attributes["data-record"])] = float(attributes["data-x"]), float(attributes["data-y"])
        if "id" in attributes:
            self.text = attributes["id"]

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data
        if self.text:
            self.texts[self.text] = self.texts.get(self.text, "") + data

    def handle_endtag(self, tag):
        if tag in ("th", "td"):
            self.table[-1].append(self.cell)
            self.cell = None
        self.text = None


def render(page):
    chromium = shutil.which("chromium") or sys.exit("chromium is missing: install it from Debian")
    with tempfile.TemporaryDirectory() as home:
        result = subprocess.run(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={home}/profile", "--enable-logging=stderr",
             "--window-size=1300,1800", "--dump-dom", page.as_uri()],
            capture_output=True, text=True, timeout=300, env=os.environ | {"HOME": home})
    console = [line for line in result.stderr.splitlines() if ":CONSOLE" in line]
    assert result.returncode == 0 and not console, "\n".join(console) or result.stderr
    parsed = Page()
    parsed.feed(result.stdout)
    return parsed


def read(name):
    # The page has no carriage returns: HTML takes them for ends of lines.
    with open(directory / name, newline="") as file:
        return list(csv.reader(file))


def as_shown(rows):
    return [[cell.replace("\r\n", "\n").replace("\r", "\n") for cell in row] for row in rows]


def by_column(rows):
    return [dict(zip(rows[0], row)) for row in rows[1:]]


parsed = render(page)
assert parsed.ready and not parsed.texts.get("errors", "").strip(), parsed.texts.get("errors")
assert parsed.scripts == 2, f"expected the data and the script, found {parsed.scripts} scripts"
assert not parsed.tags & {"link", "img", "iframe", "object", "embed"}, parsed.tags
size = page.stat().st_size
assert size <= max_bytes, f"the page has {size} bytes, expected at most {max_bytes}"

table = read("per-dispatch.csv")
if hint := re.match(r"The first (\d+) of (\d+) dispatches", parsed.texts.get("dispatch-hint", "")):
    assert len(table) == int(hint[2]) + 2
    table[int(hint[1]) + 1:-1] = []
dispatches = by_column(table)
assert by_column(as_shown(parsed.tables["dispatch-table"])) == by_column(as_shown(table))
names, values = read("summary.csv")
assert parsed.tables["summary-table"] == as_shown([list(pair) for pair in zip(names, values)])
bandwidth = json.loads((directory / "report.json").read_text())["target"]["dramBytesPerCycle"]
kernels = []
for number, row in enumerate(dispatches[:-1]):
    if row["placement"] != "npu":
        continue
    if not kernels or kernels[-1][0]["kernel"] != row["kernel"] or row["dispatch"] == row["kernel"]:
        kernels.append([])
    kernels[-1].append(row | {"number": number})
points = {}
for kernel in kernels:
    sums = {name: sum(int(row[name] or 0) for row in kernel) for name in ("macs", "cycles", "dram_bytes_read", "dram_bytes_written")}
    if sums["macs"] > 0:
        moved = sums["dram_bytes_read"] + sums["dram_bytes_written"]
        points[kernel[0]["number"]] = sums["macs"] / moved, sums["macs"] / max(sums["cycles"], moved / bandwidth)
assert parsed.points == points, (parsed.points, points)
assert dispatches[-1]["cycles"] in parsed.texts["headline"], parsed.texts["headline"]
with tempfile.TemporaryDirectory() as folder:
    exercise = (pathlib.Path(__file__).parent / "exercise-page.js").read_text()
    before, after = page.read_text().rsplit("</body>", 1)
    used = pathlib.Path(folder) / "used.html"
    used.write_text(f"{before}<script>{exercise}</script></body>{after}")
    assert render(used).exercised
compared = "without differences"
if (directory / "differences.csv").exists():
    assert as_shown(parsed.tables["difference-table"]) == as_shown(read("differences.csv"))
    compared = "with differences"
print(f"{len(dispatches) - 1} dispatches, {len(points)} points, {compared}: the page says what the tables say")
