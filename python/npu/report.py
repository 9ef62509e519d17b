"""What is told of a model: plans, timings and checked runs."""

import ctypes
import html
import json

from npu._capi import CTensor, Handle, call, encode, get_text, library
from npu._tensors import copy_array

SUMMARY, TABLES, PAGE, KERNELS, SCHEDULE, DIAGNOSTICS, LOSSES = range(1, 8)


def read_cell(text, is_text):
    """A number where a column has numbers; None where it has nothing."""
    if text == "" or is_text:
        return text or None
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            pass
    return text


def read_table(table):
    """A table of the tools as a list with a dictionary per row."""
    return [{name: read_cell(cell, is_text) for name, is_text, cell in zip(table["columns"], table["isText"], row)}
            for row in table["rows"]]


def make_html_table(records, columns):
    """A few columns of records, for notebooks."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = ["".join(f"<td>{html.escape(str('' if record.get(name) is None else record[name]))}</td>" for name in columns)
            for record in records]
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


class _Report:
    """Texts are asked of the library when they are needed first."""

    def __init__(self, handle, chip):
        self._handle = handle
        self.chip = chip
        self._kept = {}

    def _get_text(self, which):
        with self._handle as pointer:
            return get_text("npuReportGetText", pointer, which)

    def _get_json(self, which):
        if which not in self._kept:
            self._kept[which] = json.loads(self._get_text(which))
        return self._kept[which]

    @property
    def summary(self):
        """A dictionary of the figures of the whole model."""
        return self._get_json(SUMMARY)

    @property
    def cycles(self):
        """Of all that runs on the NPU."""
        return self.summary["cycles"]

    @property
    def kernels(self):
        """A dictionary per kernel: its dispatches, its cycles, its schedule."""
        return read_table(self._get_json(KERNELS))

    @property
    def losses(self):
        """A dictionary per kernel that takes longer than its limit, what loses most first; with advice, where it was asked for."""
        return self._get_json(LOSSES)

    @property
    def schedule(self):
        """The schedule of the model, for Model.schedule."""
        return self._get_json(SCHEDULE)

    @property
    def diagnostics(self):
        """What was said of the model, as SARIF."""
        return self._get_json(DIAGNOSTICS)

    def __repr__(self):
        return f"<{type(self).__name__} of {self.chip.name}: {self.cycles} cycles>"


class Plan(_Report):
    """What would run where, with what is predicted of it."""

    @property
    def dispatches(self):
        """A dictionary per dispatch: its op, its placement, its cycles, the reasons why the host runs it."""
        columns = {"dispatch": "index", "op": "op", "placement": "placement", "macs": "macs", "cycles": "cycles",
                   "kernel": "kernel", "reasons": "reasons", "names": "sources"}
        records = [{name: dispatch.get(key) for name, key in columns.items()} for dispatch in self.summary["dispatches"]]
        for record in records:
            for name in ("reasons", "names"):
                record[name] = "; ".join(record[name]) or None
        return records

    def _repr_html_(self):
        return make_html_table(self.dispatches, ("dispatch", "op", "placement", "macs", "cycles", "reasons"))


class Timing(_Report):
    """How long a model takes, dispatch by dispatch."""

    @property
    def dispatches(self):
        """A dictionary per dispatch, with the columns of per-dispatch.csv."""
        return read_table(self._get_json(TABLES)["dispatches"])

    @property
    def row(self):
        """The key figures, with the columns of summary.csv."""
        return read_table(self._get_json(TABLES)["summary"])[0]

    @property
    def html(self):
        """The page of the report."""
        return self._get_text(PAGE)

    def save(self, directory):
        """Writes the report, the files of npu-run --report."""
        with self._handle as pointer:
            call("npuReportWrite", pointer, encode(directory))

    def _repr_html_(self):
        # A frame, so that the page and a notebook do not change each other's looks.
        page = html.escape(self.html, quote=True)
        return f'<iframe sandbox="allow-scripts" style="width: 100%; height: 40em; border: 0" srcdoc="{page}"></iframe>'


class Check(Timing):
    """A run of a model that is compared with the host."""

    def __init__(self, handle, chip, ports):
        super().__init__(handle, chip)
        self.outputs = {}  #: arrays by name
        with handle as pointer:
            count = library.npuReportGetNumOutputs(pointer)
            for index in range(count):
                tensor = CTensor()
                call("npuReportGetOutput", pointer, index, ctypes.byref(tensor))
                port = ports[index] if len(ports) == count else None
                name = port.name if port else tensor.name.decode("utf-8", "replace")
                self.outputs[name] = copy_array(tensor, port)

    @property
    def passed(self):
        """Whether the verdict is a match."""
        return self.summary["passed"]

    @property
    def verdict(self):
        """match, mismatch or inconclusive"""
        return self.summary["hostCheck"]

    @property
    def reason(self):
        """Why it is no match, for outputs and then dispatches; None of a match."""
        if self.passed:
            return None
        outputs = [(output["name"], output["hostCheck"]["reason"]) for output in self.summary["outputs"]
                   if "hostCheck" in output]
        dispatches = [(f"dispatch #{row['dispatch']}", row["host_check_reason"]) for row in self.dispatches]
        return "; ".join(f"{name}: {reason}" for name, reason in outputs + dispatches if reason) or None

    def __repr__(self):
        return f"<Check of {self.chip.name}: {self.verdict}>"


def make_report(kind, chip, function, *arguments, extra=()):
    """Calls a function that gives a report."""
    return kind(Handle.make("Report", function, *arguments), chip, *extra)
