"""check-page.py <report directory> [max bytes]: opens report.html in a headless Chromium, where it must load without any error, and
compares what it shows with the CSV files beside it: every cell of every table, and every point of the roofline. Kernels add up to the
totals. Then uses a copy of the page, as exercise-page.js says."""
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
    """Rows of cells by the id of their table, points of the roofline, and what would load or run something. A cell is what its file has,
    and the text that a person reads."""

    def __init__(self):
        super().__init__()
        self.tables, self.points, self.texts, self.shown = {}, {}, {}, []
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
            self.value, self.cell = attributes.get("data-column", attributes.get("data-value")), ""
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
            if self.value is not None: # or else a row of a dispatch below its kernel
                self.table[-1].append(self.value)
                self.shown.append((self.value, self.cell))
            self.cell = None
        if tag == "table":
            self.table[:] = [row for row in self.table if row]
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

# What is read is the number of the file, with separators.
for value, text in parsed.shown:
    if re.fullmatch(r"-?\d+", value) and not text.endswith((" %", " ×", "–")):
        assert text.replace(",", "") == value, (value, text)

table, kernel_table = read("per-dispatch.csv"), read("per-kernel.csv")
if hint := re.match(r"The first (\d+) of (\d+) dispatches", parsed.texts.get("dispatch-hint", "")):
    assert len(table) == int(hint[2]) + 2
    table[int(hint[1]) + 1:-1] = []
dispatches, kernels = by_column(table), by_column(kernel_table)
assert by_column(as_shown(parsed.tables["dispatch-table"])) == by_column(as_shown(table))
if len(kernels) > 1:
    def get_order(row):
        return int(row["lost_cycles"] or -(1 << 62)) * -1

    # Those that lose most are first.
    *shown, total = by_column(as_shown(parsed.tables["kernel-table"]))
    expected = by_column(as_shown(kernel_table))
    if not hint:
        assert shown == sorted(expected[:-1], key=get_order), "expected the kernels of the file, those that lose most first"
    assert total == expected[-1] | {"kernel_name": total["kernel_name"]}, (total, expected[-1])
    for name in ("cycles", "macs", "dram_bytes_read", "dram_bytes_written"):
        assert sum(int(row[name] or 0) for row in kernels[:-1]) == int(kernels[-1][name]), f"{name} of kernels do not add up"
names, values = read("summary.csv")
assert parsed.tables["summary-table"] == as_shown([list(pair) for pair in zip(names, values)])
bandwidth = json.loads((directory / "report.json").read_text())["target"]["dramBytesPerCycle"]
of_kernel = []
for number, row in enumerate(dispatches[:-1]):
    if row["placement"] != "npu":
        continue
    if not of_kernel or of_kernel[-1][0]["kernel"] != row["kernel"] or row["dispatch"] == row["kernel"]:
        of_kernel.append([])
    of_kernel[-1].append(row | {"number": number})
points = {}
for kernel in of_kernel:
    sums = {name: sum(int(row[name] or 0) for row in kernel) for name in ("macs", "cycles", "dram_bytes_read", "dram_bytes_written")}
    if sums["macs"] > 0:
        moved = sums["dram_bytes_read"] + sums["dram_bytes_written"]
        points[kernel[0]["number"]] = sums["macs"] / moved, sums["macs"] / max(sums["cycles"], moved / bandwidth)
assert parsed.points == points, (parsed.points, points)
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
