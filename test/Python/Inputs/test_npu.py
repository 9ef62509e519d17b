"""Every function of the package npu, and every error. usage: test_npu.py <npu-run> <onnx tests> [unittest's arguments]"""

import gc
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy

import npu
from npu import _tensors

NPU_RUN, ONNX_TESTS = sys.argv.pop(1), sys.argv.pop(1)

PRODUCT = """func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %c : tensor<4x2xf32>
}"""
NODES = """module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @f(%x: tensor<4x8xf32>) -> tensor<4x2xf32> {
    %w = onnx.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> :
        tensor<8x2xf32>
    %y = onnx.node "MatMul"(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    return %y : tensor<4x2xf32>
  }
}"""
ON_HOST = """func.func @sum(%a: tensor<16xf64>) -> tensor<16xf64> {
  %empty = tensor.empty() : tensor<16xf64>
  %c = linalg.add ins(%a, %a : tensor<16xf64>, tensor<16xf64>) outs(%empty : tensor<16xf64>) -> tensor<16xf64>
  return %c : tensor<16xf64>
}"""
DYNAMIC = """func.func @twice(%a: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %zero = arith.constant 0 : index
  %rows = tensor.dim %a, %zero : tensor<?x16xf32>
  %empty = tensor.empty(%rows) : tensor<?x16xf32>
  %c = linalg.add ins(%a, %a : tensor<?x16xf32>, tensor<?x16xf32>) outs(%empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %c : tensor<?x16xf32>
}"""
# The sum of an element type with itself; of i1 its opposite.
SAME = """func.func @same(%a: tensor<4x16x{type}>) -> tensor<4x16x{type}> {{
  %c = {op} %a, %a : tensor<4x16x{type}>
  return %c : tensor<4x16x{type}>
}}"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="model.mlir"):
        path = self.folder / name
        path.write_text(text)
        return path

    def load(self, text, **keywords):
        return npu.load(self.write(text), **keywords)

    def fails(self, message, function, *arguments, kind=npu.Error, **keywords):
        with self.assertRaises(kind) as caught:
            function(*arguments, **keywords)
        self.assertIn(message, str(caught.exception))


class Chips(Case):
    def test_known(self):
        self.assertEqual(npu.chips()[0], "npu-v1")
        self.assertEqual(npu.Chip(), npu.Chip("npu-v1"))
        self.assertEqual(npu.Chip().specification, "npu-v1")
        self.assertEqual(repr(npu.Chip()), "Chip('npu-v1')")

    def test_replace(self):
        chip = npu.Chip("npu-v1").replace(clusters=4, sramBytes="512K")
        self.assertEqual((chip.clusters, chip.sramBytes, chip.name), (4, 524288, "npu-v1"))
        self.assertEqual(chip.parameters["clusters"], 4)
        self.assertNotEqual(chip, npu.Chip("npu-v1"))
        self.assertEqual(len({chip, npu.Chip(chip.specification)}), 1)
        self.assertIn("clusters", dir(chip))
        # Another name takes all parameters with it.
        mine = chip.replace(name="mine")
        self.assertEqual((mine.name, mine.parameters), ("mine", chip.parameters))
        chip.parameters["clusters"] = 1
        self.assertEqual(chip.clusters, 4)

    def test_files(self):
        chip = npu.Chip().replace(name="mine", clusters=2)
        path = self.folder / "other.json"
        chip.save(path)
        self.assertEqual(npu.Chip.from_file(path), chip)
        self.assertEqual(npu.Chip(f"@{path}"), chip)
        self.assertEqual(npu.Chip.from_dict(chip.to_dict()), chip)
        # The tools read it, too.
        subprocess.run([NPU_RUN, f"--target=@{path}", "--plan", self.write(PRODUCT)], check=True, stdout=subprocess.DEVNULL)

    def test_errors(self):
        self.fails("unknown key 'cluster'; did you mean 'clusters'?", npu.Chip().replace, cluster=2)
        self.fails("must lie in 1..", npu.Chip().replace, clusters=0)
        self.fails("expected an integer", npu.Chip().replace, clusters="many")
        self.fails("unknown target 'npu-v9'", npu.Chip, "npu-v9")
        self.fails("target file '/nonexistent.json'", npu.Chip.from_file, "/nonexistent.json")
        self.fails("without the character 0", npu.Chip, "a\0b")
        self.fails("expected a parameter of the chip", getattr, npu.Chip(), "cluster", kind=AttributeError)
        self.fails("expected a Chip, its specification or a dictionary", self.load(PRODUCT).plan, 7)


    def test_changes(self):
        chip = npu.Chip("npu-v1")
        with self.assertRaises(AttributeError) as caught:
            chip.clusters = 4
        self.assertIn("chip.replace(clusters=...)", str(caught.exception))
        self.assertEqual(chip.replace(clusters=numpy.int64(2)).clusters, 2)


class Models(Case):
    def test_ports(self):
        model = self.load(PRODUCT)
        self.assertEqual(model.inputs, [("input0", "f32", numpy.float32, (4, 8)), ("input1", "f32", numpy.float32, (8, 2))])
        self.assertEqual(str(model.outputs[0]), "output0: 4x2xf32")
        self.assertIn("input1: 8x2xf32 -> output0: 4x2xf32", repr(model))
        self.assertEqual(self.load(DYNAMIC).inputs[0].shape, (None, 16))

    def test_load_errors(self):
        self.fails("cannot read '/nonexistent.onnx': No such file or directory", npu.load, "/nonexistent.onnx")
        self.fails("model.mlir:1:14: error: ", self.load, "func.func @f( {")
        self.fails("there is no function 'other'", lambda: self.load(PRODUCT, function="other"))
        self.fails("expected one public function", self.load, "func.func @f() { return } func.func @g() { return }")
        self.fails("expected 2 shapes of inputs, found 1", self.load, PRODUCT, inputs=[(4, 8)])
        self.fails("expected shapes of inputs of 'input0', found those of 'x'", self.load, DYNAMIC, inputs={"x": (4, 16)})
        self.fails("input 'input0': expected a shape, as (1, 3, 224, 224), found 4", self.load, DYNAMIC, inputs=[4])
        sign = ONNX_TESTS + "/simple/test_sign_model/model.onnx"
        self.fails("found 'batch'", npu.load, sign, onnx_dims={"batch": 3})
        self.fails('"none"', npu.load, sign, onnx_outputs=["none"])
        self.fails("expected a number for onnx-seed-weights, found 'x'", npu.load, sign, onnx_seed_weights="x")

    def test_plan(self):
        plan = self.load(PRODUCT).plan(npu.Chip())
        self.assertEqual(plan.dispatches[0]["placement"], "npu")
        self.assertEqual(plan.dispatches[0]["kernel"], 0)
        self.assertIn("model.mlir:5:8", plan.dispatches[0]["names"])
        self.assertEqual(plan.cycles, plan.dispatches[0]["cycles"])
        self.assertEqual(plan.kernels[0]["predicted_cycles"], plan.cycles)
        self.assertEqual(plan.kernels[0]["kernel_name"], "model.mlir:5:8: MatMul 4x2x8")
        self.assertIn("linalg.matmul", plan._repr_html_())
        self.assertIn("cycles>", repr(plan))
        self.assertIn("f64", self.load(ON_HOST).plan().dispatches[0]["reasons"])
        self.fails("Dispatch #0 not supported", self.load(ON_HOST).plan, fallback="error")

    def test_options(self):
        model = self.load(PRODUCT)
        self.assertEqual(model.time(search="quick", segments=False).row["dispatches"], 1)
        for call in (model.time, model.plan, model.compile):
            self.fails("expected a keyword of fallback, segments", call, color="red")
        self.fails("found 'trace'", model.plan, trace="a.json")
        a, b = numpy.ones((4, 8), "f4"), numpy.ones((8, 2), "f4")
        self.fails("found 'check'", model.check, [a, b], check=False)
        self.fails("expected a number of kernels for advise, found 'all'", model.plan, advise="all")
        self.fails("expected auto, quick or full for npu-search, found 'long'", model.time, search="long")
        self.fails("unknown target 'npu-v9'", model.time, "npu-v9")

    def test_time(self):
        model = self.load(PRODUCT)
        timing = model.time(npu.Chip().replace(clusters=2), trace=self.folder / "t.json")
        run = self.folder / "run"
        subprocess.run([NPU_RUN, "--timing-only", "--advise=0", "--target=npu-v1:clusters=2", f"--report={run}", model.path], check=True,
                       stdout=subprocess.DEVNULL)
        # One set of figures.
        self.assertEqual(timing.summary, json.loads((run / "summary.json").read_text()))
        self.assertEqual(timing.cycles, timing.summary["cycles"])
        self.assertEqual(timing.html, (run / "report.html").read_text())
        timing.save(self.folder / "saved")
        for name in ("summary.json", "report.json", "report.html", "summary.csv", "per-dispatch.csv", "per-kernel.csv"):
            self.assertEqual((self.folder / "saved" / name).read_bytes(), (run / name).read_bytes(), name)
        self.assertIn("traceEvents", json.loads((self.folder / "t.json").read_text()))
        row = timing.dispatches[0]
        self.assertEqual((row["dispatch"], row["placement"], row["cycles"]), (0, "npu", timing.cycles))
        self.assertIsInstance(row["mac_utilisation"], float)
        self.assertEqual(timing.kernels[0]["kernel_dispatches"], "0")
        self.assertEqual(timing.row["cycles"], timing.cycles)
        self.assertTrue(timing._repr_html_().startswith("<iframe"))
        self.assertEqual(timing.diagnostics["version"], "2.1.0")
        full = model.time("npu-v1:clusters=2", report="full")
        self.assertEqual(full.summary, timing.summary)
        full.save(self.folder / "full")
        self.assertEqual(sorted(os.listdir(self.folder / "full")), sorted(os.listdir(run)))
        self.assertEqual((self.folder / "full/trace.pftrace").read_bytes(), (run / "trace.pftrace").read_bytes())
        self.fails("/nonexistent", model.time, trace="/nonexistent/t.json")
        self.fails("expected a file that ends in .json", model.time, trace="t.txt")
        self.fails("model.mlir", timing.save, model.path)

    def test_schedule(self):
        model = self.load(PRODUCT)
        self.assertIsNone(model.schedule)
        timing = model.time()
        self.assertEqual(timing.schedule["format"], "npu-schedule")
        for schedule in (timing.schedule, json.dumps(timing.schedule)):
            model.schedule = schedule
            self.assertEqual(model.schedule, schedule)
            self.assertEqual(model.time().summary, timing.summary)
            self.assertEqual(model.plan().schedule, timing.schedule)
            self.assertEqual(model.compile()(numpy.ones((4, 8), "f4"), numpy.ones((8, 2), "f4"))[0, 0], 8)
        self.fails("schedule: expected a schedule for target", model.time, "npu-v1:clusters=2")
        model.schedule = {}
        self.fails('whose "format" is "npu-schedule"', model.compile)
        self.fails("expected a schedule, as a dictionary", setattr, model, "schedule", 7)
        model.schedule = None
        model.time("npu-v1:clusters=2")

    def test_dynamic(self):
        model = self.load(DYNAMIC)
        for work in (model.time, model.plan, model.compile):
            self.fails("model.mlir:1:", work)
        # What is checked has a shape.
        self.assertTrue(model.check(numpy.ones((3, 16), "f4")).passed)
        for inputs in ({"input0": (2, 16)}, [(2, 16)], ["2x16xf32"], [numpy.zeros((2, 16))]):
            model = self.load(DYNAMIC, inputs=inputs)
            self.assertEqual(model.compile()(numpy.ones((2, 16), "f4")).shape, (2, 16))
            self.assertGreater(model.time().cycles, 0)

    def test_check(self):
        model = self.load(PRODUCT)
        a, b = numpy.full((4, 8), 1.5, "f4"), numpy.full((8, 2), 2, "f4")
        for inputs in ([a, b], (a, b), {"input1": b, "input0": a}):
            check = model.check(inputs, "npu-v1")
            self.assertEqual((check.verdict, check.passed, check.reason), ("match", True, None))
            self.assertTrue((check.outputs["output0"] == 24).all())
        self.assertEqual(check.dispatches[0]["host_check"], "match")
        self.assertEqual(repr(check), "<Check of npu-v1: match>")
        # Zeros prove nothing.
        check = self.load(SAME.format(type="f32", op="arith.subf")).check(numpy.random.default_rng(3).random((4, 16), "f4"))
        self.assertEqual((check.passed, check.verdict), (False, "inconclusive"))
        self.assertIn("output0: ", check.reason)
        self.fails("expected 2 inputs, found 1", model.check, a, kind=npu.InputError)


class Programs(Case):
    def test_run(self):
        program = self.load(PRODUCT).compile()
        a, b = numpy.full((4, 8), 1.5, "f4"), numpy.full((8, 2), 2, "f4")
        self.assertIsNone(program.report)
        for result in (program(a, b), program({"input0": a, "input1": b}), program.run([a, b])["output0"]):
            self.assertTrue((result == 24).all())
        self.assertEqual(program.report["macsOnNPU"], 64)
        self.assertEqual([port.name for port in program.inputs + program.outputs], ["input0", "input1", "output0"])
        self.assertIn("<Program: input0: 4x8xf32", repr(program))

    def test_arrays_of_any_layout(self):
        program = self.load(PRODUCT).compile()
        numbers = numpy.random.default_rng(1)
        a, b = numbers.random((4, 8), "f4"), numbers.random((8, 2), "f4")
        expected = program(a, b)
        wide = numpy.zeros((8, 16), "f4")
        wide[::2, ::2] = a
        shifted = numpy.frombuffer(b"x" + b.tobytes(), "u1")[1:].view("f4").reshape(8, 2)
        read_only = b.copy()
        read_only.flags.writeable = False
        for one, two in ((numpy.asfortranarray(a), b), (wide[::2, ::2], b), (a.astype(">f4"), b), (a, shifted), (a, read_only)):
            self.assertTrue((program(one, two) == expected).all())

    def test_types(self):
        numbers = numpy.random.default_rng(2)
        for kind, op in {"i1": "arith.xori", "i8": "arith.addi", "i16": "arith.addi", "i32": "arith.addi", "i64": "arith.addi",
                         "f16": "arith.addf", "bf16": "arith.addf", "f32": "arith.addf", "f64": "arith.addf"}.items():
            program = self.load(SAME.format(type=kind, op=op)).compile()
            dtype = program.inputs[0].dtype
            x = numbers.integers(0, 2 if kind == "i1" else 50, (4, 16)).astype(dtype)
            if kind == "bf16" and dtype == numpy.uint16:
                x = (x.astype("f4").view("u4") >> 16).astype("u2")  # their bits
                self.assertTrue((program(x) == ((2 * (x.astype("u4") << 16).view("f4")).view("u4") >> 16)).all())
                continue
            expected = x ^ x if kind == "i1" else x + x
            result = program(x)
            self.assertEqual(result.dtype, dtype)
            self.assertTrue((result == expected).all(), kind)
        # Integers have no sign.
        program = self.load(SAME.format(type="i8", op="arith.addi")).compile()
        x = numbers.integers(0, 256, (4, 16)).astype("u1")
        self.assertTrue((program(x).view("u1") == x + x).all())
        scalar = self.load("func.func @f(%a: tensor<f32>) -> tensor<f32> {\n  %b = arith.addf %a, %a : tensor<f32>\n"
                           "  return %b : tensor<f32>\n}").compile()
        self.assertEqual(scalar(numpy.float32(2)), 4)
        self.assertEqual(scalar(numpy.float32(2)).shape, ())

    def test_array_errors(self):
        program = self.load(PRODUCT).compile()
        a, b = numpy.ones((4, 8), "f4"), numpy.ones((8, 2), "f4")
        for message, inputs in {
                "expected 2 inputs, found 1": [a],
                "input 'input0': expected float32 of shape (4, 8), found float64 of shape (4, 8)": [a.astype("f8"), b],
                "input 'input0': expected float32 of shape (4, 8), found int32 of shape (4, 8)": [a.astype("i4"), b],
                "input 'input1': expected float32 of shape (8, 2), found float32 of shape (2, 8)": [a, b.T],
                "input 'input1': expected an array of numpy, found list": [a, [1, 2]]}.items():
            self.fails(message, program, *inputs, kind=npu.InputError)
            self.fails(message, program, *inputs, kind=ValueError)
        self.fails("expected arrays for the inputs 'input0', 'input1', found arrays for 'input0'", program, {"input0": a},
                   kind=npu.InputError)

    def test_traps_and_limits(self):
        a, b = numpy.ones((4, 8), "f4"), numpy.ones((8, 2), "f4")
        model = self.load(PRODUCT)
        self.fails("cycle limit", model.compile(cycle_limit=1), a, b, kind=npu.Trap)
        self.fails("cycle limit", model.check, [a, b], cycle_limit=1, kind=npu.Trap)
        self.fails("the limit of 100", model.compile(memory_limit=100), a, b)

    def test_files(self):
        path = self.folder / "sum.json"
        program = self.load(ON_HOST).compile()
        program.save(path)
        x = numpy.arange(16.0)
        self.fails("allow-host-code", npu.load_program(path), x)
        self.assertTrue((npu.load_program(path, allow_host_code=True)(x) == 2 * x).all())
        self.fails("/nonexistent.json", npu.load_program, "/nonexistent.json")
        self.fails("/nonexistent/", program.save, "/nonexistent/p.json")

    def test_lives(self):
        # A program and a report need no model, an output no report.
        model = self.load(PRODUCT)
        a, b = numpy.ones((4, 8), "f4"), numpy.ones((8, 2), "f4")
        program, check, timing = model.compile(), model.check([a, b]), model.time()
        del model
        gc.collect()
        output = check.outputs["output0"]
        self.assertEqual(timing.cycles, check.cycles)
        del check
        gc.collect()
        self.assertTrue((program(a, b) == output).all())
        output[0] = 1  # is the caller's

    def test_threads(self):
        model, results = self.load(PRODUCT), []
        a, b = numpy.ones((4, 8), "f4"), numpy.ones((8, 2), "f4")
        program = model.compile()
        work = [lambda: results.append(program(a, b)[0, 0]), lambda: results.append(model.time().cycles)]
        threads = [threading.Thread(target=work[number % 2]) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 8)
        self.assertEqual(len(set(results)), 2)


    def test_advice(self):
        model = self.load(PRODUCT)
        advised = model.plan(advise=1).losses[0]
        self.assertEqual((advised["kernel"], advised["lostCycles"]), (0, advised["cycles"] - advised["rooflineCycles"]))
        self.assertEqual(advised["advice"][0]["change"], "dramLatencyCycles=50")
        self.assertEqual(model.time().losses[0]["advice"], [])

    def test_assumed_type(self):
        model = self.load(NODES)
        floats, assumed = model.plan("npu-tiny"), model.plan("npu-tiny", assume_type="i8")
        self.assertEqual([dispatch["placement"] for dispatch in floats.dispatches if dispatch["macs"]], ["host"])
        self.assertEqual([dispatch["placement"] for dispatch in assumed.dispatches if dispatch["macs"]], ["npu"])
        self.assertGreater(model.time("npu-tiny", assume_type="i8").cycles, 0)
        self.fails("expected i8 for assume-type, found 'f16'", model.time, assume_type="f16")
        self.fails("expected a keyword of", model.compile, assume_type="i8")
        self.fails("expected an ONNX model, found another", self.load(PRODUCT).time, assume_type="i8")

    def test_schedule_of_clock(self):
        # A schedule is for a chip whatever its clock.
        model = self.load(PRODUCT)
        model.schedule = model.time(npu.Chip().replace(clockMHz=800)).schedule
        self.assertEqual(model.schedule["target"], "npu-v1")
        model.time(npu.Chip().replace(clockMHz=400))

    def test_exit(self):
        # A thread that is still in a call when Python ends.
        script = ("import npu, threading, sys, time\nmodel = npu.load(sys.argv[1])\n"
                  "threading.Thread(target=lambda: [model.time() for _ in range(1000)], daemon=True).start()\ntime.sleep(0.2)\n")
        subprocess.run([sys.executable, "-c", script, self.write(PRODUCT)], check=True, timeout=60)

    def test_fork(self):
        model = self.load(PRODUCT)
        model.time()
        read, write = os.pipe()
        if os.fork() == 0:
            try:
                model.time()
            except npu.Error as error:
                os.write(write, str(error).encode())
            os._exit(0)
        os.close(write)
        self.assertIn("expected a model, a program or a report of this process", os.read(read, 1000).decode())
        os.close(read)
        os.wait()


class Sweeps(Case):
    def test_sweep(self):
        good, bad = self.write(PRODUCT), self.write("func.func @f( {", "bad.mlir")
        records = npu.sweep([good, bad], ["npu-v1", {"base": "npu-v1", "name": "two", "clusters": 2}, "npu-v9"])
        self.assertEqual(len(records), 6)
        self.assertEqual([record["error"] is None for record in records], [True, True, False, False, False, False])
        self.assertEqual(records[0]["cycles"], npu.load(good).time("npu-v1").cycles)
        self.assertEqual((records[1]["clusters"], records[1]["model"]), (2, str(good)))
        self.assertIn("unknown target 'npu-v9'", records[2]["error"])
        self.assertIn("bad.mlir:1:14", records[3]["error"])
        self.assertEqual(npu.sweep({"one": npu.load(good)}, [npu.Chip()], search="quick")[0]["model"], "one")
        self.assertEqual(npu.sweep(good, "npu-v1")[0]["error"], None)
        # Models of one file, and one chip.
        same = npu.load(good)
        self.assertEqual(len(npu.sweep([same, same], npu.Chip())), 2)


class Tables(unittest.TestCase):
    def test_cells(self):
        from npu.report import read_cell
        self.assertEqual([read_cell(text, False) for text in ("7", "0.5", "npu", "")], [7, 0.5, "npu", None])
        self.assertEqual([read_cell(text, True) for text in ("7", "")], ["7", None])

    def test_types(self):
        self.assertEqual(_tensors.DTYPES["ui8"], numpy.uint8)
        port = npu.Tensor("x", "bf16", _tensors.DTYPES["bf16"], (1,))
        self.assertEqual(_tensors.get_number(numpy.zeros(1, port.dtype), port), 7)
        with self.assertRaises(npu.InputError):
            _tensors.get_number(numpy.zeros(1, "c8"), npu.Tensor("x", None, None, None))


unittest.main()
