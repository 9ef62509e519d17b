"""The plots of npu-sweep: one page without scripts that needs nothing else."""

import html
import math

from npu_sweep_spec import show

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 90, 20, 20, 60

STYLE = """
body { font: 14px sans-serif; margin: 2em; color: #222 }
svg { background: #fff; border: 1px solid #ccc }
.grid { stroke: #e4e4e4 } .front { fill: none; stroke: #c33; stroke-width: 2 }
.point { fill: #8aa; } .best { fill: #c33 } .part { fill: #fff; stroke: #8aa; stroke-width: 2 }
td, th { padding: 2px 10px; text-align: left } td.number { text-align: right } .error { color: #c33 }
"""


def escape(text):
    return html.escape(show(text))


class Axis:
    """Values on a logarithmic scale between two places."""

    def __init__(self, values, start, end):
        low, high = max(min(values), 1e-3), max(max(values), 1e-3)
        self.low, self.high = math.log10(low) - 0.05, math.log10(high) + 0.05
        self.start, self.end = start, end

    def place(self, value):
        share = (math.log10(max(value, 1e-3)) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self):
        """Round numbers; those between powers of ten only where there are few of these."""
        powers = range(math.floor(self.low), math.ceil(self.high) + 1)
        steps = (1, 2, 5) if self.high - self.low < 3 else (1,)
        ticks = [step * 10.0**power for power in powers for step in steps]
        return [tick for tick in ticks if self.low <= math.log10(tick) <= self.high]


# What is plotted where the rows have it: the keys of both axes, and what people call them.
PLOTS = (("area", "area", "cycles", "cycles"), ("area", "area", "milliseconds", "time (ms)"),
         ("milliseconds", "time (ms)", "energy_uj", "energy (µJ)"))


def find_front(rows, x_key, y_key):
    """The rows than which no other has less of one and no more of the other. Those that leave more dispatches to the host than
    others do not compare."""
    least = min(row["dispatches_host"] for row in rows)
    front = []
    for row in sorted((row for row in rows if row["dispatches_host"] == least), key=lambda row: (row[x_key], row[y_key])):
        if not front or row[y_key] < front[-1][y_key] or (row[x_key], row[y_key]) == (front[-1][x_key], front[-1][y_key]):
            front.append(row)
    return front


def make_plot(rows, x_key, x_name, y_key, y_name):
    x = Axis([row[x_key] for row in rows], LEFT, WIDTH - RIGHT)
    y = Axis([row[y_key] for row in rows], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{y_name} over {x_name}">']
    for tick in x.ticks():
        at = x.place(tick)
        parts.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
                     f'<text x="{at}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{tick:,g}</text>')
    for tick in y.ticks():
        at = y.place(tick)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at}" y2="{at}"/>'
                     f'<text x="{LEFT - 6}" y="{at + 4}" text-anchor="end">{tick:,g}</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 15}" text-anchor="middle">{x_name}</text>'
                 f'<text x="15" y="{HEIGHT / 2}" transform="rotate(-90 15 {HEIGHT / 2})" '
                 f'text-anchor="middle">{y_name}</text>')
    front = find_front(rows, x_key, y_key)
    line = " ".join(f"{x.place(row[x_key])},{y.place(row[y_key])}" for row in front)
    parts.append(f'<polyline class="front" points="{line}"/>')
    least = min(row["dispatches_host"] for row in rows)
    for row in rows:
        kind = "best" if row in front else "point" if row["dispatches_host"] == least else "part"
        title = escape(f"{row['chip']}: {y_name} {row[y_key]:.12g}, {x_name} {row[x_key]:.12g}, {row['dispatches_host']} dispatches on the host")
        parts.append(f'<circle class="{kind}" cx="{x.place(row[x_key])}" cy="{y.place(row[y_key])}" '
                     f'r="5"><title>{title}</title></circle>')
    return "\n".join(parts) + "\n</svg>\n"


def make_plots(rows):
    """Rows without time or energy are in the plots of the others."""
    plots = []
    for x_key, x_name, y_key, y_name in PLOTS:
        known = [{**row, x_key: float(row[x_key]), y_key: float(row[y_key])} for row in rows if row[x_key] != "" and row[y_key] != ""]
        if known:
            plots.append(make_plot(known, x_key, x_name, y_key, y_name))
    return plots


def make_front_table(rows):
    lines = ["<table><tr><th>on the front</th><th>area</th><th>cycles</th><th>x limit</th></tr>"]
    for row in sorted((row for row in rows if row["pareto"] == "yes"), key=lambda row: row["area"]):
        lines.append(f'<tr><td>{escape(row["chip"])}</td><td class="number">{row["area"]:,g}</td>'
                     f'<td class="number">{row["cycles"]:,}</td><td class="number">{row["cycles_over_roofline"]}</td></tr>')
    return "\n".join(lines) + "\n</table>\n"


def make_errors(rows):
    failed = [row for row in rows if row["status"] != "ok"]
    if not failed:
        return ""
    lines = [f'<li>{escape(row["chip"])}: <span class="error">{escape(row["error"])}</span></li>'
             for row in failed]
    return f"<p>Without a result: {len(failed)}</p><ul>\n" + "\n".join(lines) + "\n</ul>\n"


def make_page(groups, weights):
    """`groups`: the rows of the table by (network, options); `weights`: those of the area."""
    parts = ['<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>npu-sweep</title>\n'
             f"<style>{STYLE}</style></head><body>\n<h1>npu-sweep</h1>\n"
             f"<p>Area: clusters x (array cells x {weights['cell']:g} + vector lanes x {weights['lane']:g} + "
             f"bytes of SRAM and accumulators x {weights['byte']:g}) + "
             f"DRAM bytes per cycle x {weights['bandwidth']:g}. Red: no chip is better in one and as good in the other. "
             "Hollow: leaves more dispatches to the host than others, so that its cycles do not compare.</p>\n"]
    for (network, options), rows in groups.items():
        parts.append(f"<h2>{escape(network)} {escape(options)}</h2>\n")
        done = [row for row in rows if row["status"] == "ok"]
        if done:
            parts += [*make_plots(done), make_front_table(done)]
        parts.append(make_errors(rows))
    return "".join(parts) + "</body></html>\n"
