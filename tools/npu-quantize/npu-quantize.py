#!/usr/bin/python3
"""Makes an ONNX model of bytes out of one of floats. See docs/quantize.md."""

import argparse
import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

ENDING_SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)

# Nothing that a package does not know of is left beside its files.
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
try:
    import numpy as np
    import onnx
except ImportError as error:
    # What needs neither works without them.
    np = onnx = None
    missing = error.name

if onnx and np:
    from npu_quantize_calibrate import Difference, Runner, find_error
    from npu_quantize_expand import expand
    from npu_quantize_model import BadInput, Graph, read_model, save_beside, show, suggest, write_model
    from npu_quantize_opset import convert_opset
    from npu_quantize_plan import PRODUCTS, Plan
    from npu_quantize_prepare import prepare
    from npu_quantize_rewrite import Rewriter
    from npu_quantize_samples import BadUsage, get_samples

LEAST_SNR_OF_CONVERSION = 60  # in dB; sums in another order have far more
NO_TENSORS = ("SequenceAt", "SequenceConstruct", "SequenceEmpty", "SequenceErase", "SequenceInsert", "SequenceMap",
              "SplitToSequence", "Optional", "OptionalGetElement")


def find_tool(name, given=None):
    if given:
        found = shutil.which(given)
    else:
        # Not where a link leads: an installed npu-quantize is one.
        beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
        found = beside if os.access(beside, os.X_OK) else shutil.which(name)
    if not found:
        raise BadInput(f"expected {name} {'at ' + show(given) if given else 'beside npu-quantize or in PATH'}; "
                       "name npu-run with --npu-run=FILE")
    return os.path.abspath(found)


def seed_weights(arguments, npu_run, folder):
    """A copy of the model in which weights of one number are random."""
    npu_translate = os.path.join(os.path.dirname(npu_run), "npu-translate")
    if not os.access(npu_translate, os.X_OK):
        raise BadInput("expected npu-translate beside npu-run, found none; --onnx-seed-weights needs it")
    path = os.path.join(folder, os.path.basename(arguments.model))
    command = [npu_translate, "--onnx-to-onnx", f"--onnx-seed-weights={arguments.onnx_seed_weights}", arguments.model, "-o", path]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if run.returncode:
        raise BadInput(find_error("npu-translate", run.stderr.decode("utf-8", "replace"), run.returncode))
    return path


def check_not_quantized(graph):
    for node in graph.nodes:
        if node.op in ("QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "ConvInteger", "MatMulInteger",
                       "MatMulNBits") or node.op.startswith(("QLinear", "QGemm", "QAttention")):
            raise BadInput(f"{graph.locate(node)}: {node}: expected a model in f32, found a quantized one; give npu-quantize the "
                           "model that it was made of")


def find_excluded(graph, names):
    found = set()
    for name in names:
        nodes = [node for node in graph.nodes if name and (node.proto.name == name or name in node.outputs)]
        if not nodes:
            raise BadUsage(f"expected the name of a node, or of what it writes, in --exclude, found '{show(name)}'"
                           f"{suggest(name, [node.name() for node in graph.nodes])}")
        found.update(nodes)
    return found


def get_candidates(graph):
    """Values that may become bytes, or whose types say what may."""
    names = [value.name for value in graph.inputs]
    for node in graph.nodes:
        if node.op not in NO_TENSORS:
            names += [name for name in node.outputs if name]
    return names


def quantize(arguments):
    npu_run = find_tool("npu-run", arguments.npu_run)
    with tempfile.TemporaryDirectory(prefix="npu-quantize-") as folder:
        path = arguments.model
        model = read_model(path)
        if arguments.onnx_seed_weights is not None:
            path = seed_weights(arguments, npu_run, folder)
            model = read_model(path)
        graph = Graph(model, arguments.model)
        check_not_quantized(graph)
        excluded = find_excluded(graph, arguments.exclude)
        inputs = [value.name for value in graph.inputs]
        samples = get_samples(arguments, inputs)
        runner = Runner(npu_run, [f"--onnx-dim={size}" for size in arguments.onnx_dim], samples)

        # The model as it was given, which also says where it is wrong.
        outputs = [value.name for value in graph.outputs]
        expected = [runner.get_outputs(path, outputs, number) for number in range(len(samples))]

        opset = graph.opset
        convert_opset(graph, runner)
        if graph.opset != opset:
            check_conversion(graph, opset, runner, expected[0], folder)
        prepare(graph, excluded)
        percentile = arguments.percentile if arguments.calibrate == "percentile" else None
        statistics = {}
        # The first sample tells the types of values, and so which ones the others are needed of.
        runner.measure(graph, get_candidates(graph), statistics, [0], percentile)
        expand(graph, statistics, excluded)
        runner.measure(graph, [name for name in get_candidates(graph) if name not in statistics], statistics, [0], percentile)
        plan, measured = Plan(graph, statistics, excluded), set()
        # Ranges of all samples may change the plan, whose new values then need theirs.
        while missing := sorted((plan.quantized | plan.compared) - measured):
            runner.measure(graph, missing, statistics, range(1, len(samples)), percentile)
            measured.update(missing)
            plan = Plan(graph, statistics, excluded)
        if not plan.products:
            raise BadInput(find_no_product(graph, plan))
        result = describe(graph, plan)
        Rewriter(graph, plan, arguments.activations == "u8", arguments.weights == "per-channel").rewrite()
        quantized = graph.make_model()
        quantized.producer_name, quantized.producer_version = "npu-quantize", ""

        differences = {name: Difference() for name in outputs}
        file = os.path.join(folder, "quantized.onnx")
        write_model(quantized, file)
        for number in range(len(samples)):
            found = runner.get_outputs(file, outputs, number)
            for name in outputs:
                differences[name].add(expected[number][name], found[name])
    write_model(quantized, arguments.output)
    result["samples"] = len(samples)
    result["outputs"] = [{"name": name, "elements": difference.elements, "maxAbsError": difference.largest,
                          "maxAbs": difference.magnitude, "snrDb": difference.get_snr(),
                          "cosineSimilarity": difference.get_cosine()} for name, difference in differences.items()]
    return result


def check_conversion(graph, opset, runner, expected, folder):
    """The model in a newer operator set gives the same as before."""
    file = os.path.join(folder, os.path.basename(graph.path))
    save_beside(graph.make_model(), file)
    for name, array in runner.get_outputs(file, list(expected), 0).items():
        difference = Difference()
        is_same = array.shape == expected[name].shape and array.dtype == expected[name].dtype
        if is_same and array.dtype.kind in "fiub":
            difference.add(expected[name], array)
            snr = difference.get_snr()
            is_same = not difference.noise or (snr is not None and snr > LEAST_SNR_OF_CONVERSION)
        if not is_same:
            raise BadInput(f"{show(graph.path)}: expected the same output '{show(name)}' in opset {opset} and in opset {graph.opset}, "
                           f"found another one; export the model with opset {graph.opset} or newer")


def find_no_product(graph, plan):
    for node, reason in plan.find_rest():
        if node.op in PRODUCTS:
            return f"{graph.locate(node)}: {node}: {reason}{'' if ';' in reason else '; nothing else of the model can be quantized'}"
    return f"{show(graph.path)}: expected a Conv, Gemm or MatMul in f32 to quantize, found none; run the model as it is"


def describe(graph, plan):
    """What becomes of the nodes."""
    counts = collections.Counter(node.op for node in graph.nodes if node.op in PRODUCTS and node.is_standard)
    quantized = collections.Counter(node.op for node in plan.products)
    rest = [{"place": graph.locate(node), "node": node.name(), "operator": node.op, "reason": reason}
            for node, reason in plan.find_rest()]
    return {"products": {op: {"all": counts[op], "quantized": quantized[op]} for op in sorted(counts)},
            "quantizedTensors": len(plan.quantized), "inF32": rest}


def replace_infinities(value):
    """JSON has no numbers that are not finite."""
    if isinstance(value, dict):
        return {key: replace_infinities(item) for key, item in value.items()}
    if isinstance(value, list):
        return [replace_infinities(item) for item in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def print_result(result):
    products = result["products"].items()
    parts = ", ".join(f"{counts['quantized']} of {counts['all']} {op}" for op, counts in products)
    print(f"quantized {parts}; {result['quantizedTensors']} tensors of activations in 8 bits")
    for node in result["inF32"]:
        print(f"{node['place']}: note: node '{show(node['node'])}' ({show(node['operator'])}) stays in f32: {show(node['reason'])}")
    for output in result["outputs"]:
        snr = f"SNR {output['snrDb']:.1f} dB" if output["snrDb"] is not None else "SNR undefined"
        cosine = f"cosine similarity {output['cosineSimilarity']:.6f}" if output["cosineSimilarity"] is not None else "all zero"
        print(f"output '{show(output['name'])}': max abs error {output['maxAbsError']:.3g} of {output['maxAbs']:.3g}, {snr}, {cosine}, "
              f"over {result['samples']} sample{'s' if result['samples'] > 1 else ''}")


class ShowVersion(argparse.Action):
    def __call__(self, parser, *_):
        beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "npu-run")
        parser.exit(subprocess.run([beside if os.access(beside, os.X_OK) else "npu-run", "--version"]).returncode)


def parse_positive(text):
    if not text.isdecimal() or not 1 <= int(text) <= 100000:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 100000, found '{text}'")
    return int(text)


def parse_seed(text):
    if not text.isdecimal() or int(text) >= 1 << 31:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {(1 << 31) - 1}, found '{text}'")
    return int(text)


def parse_percentile(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 50 < value <= 100:
        raise argparse.ArgumentTypeError(f"expected a number above 50 and at most 100, found '{text}'")
    return value


def parse_arguments():
    # Each option is one line of --help, which the man page is made from.
    parser = argparse.ArgumentParser(prog="npu-quantize", allow_abbrev=False,
                                     formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=40),
                                     description="Make an int8 ONNX model out of one in f32, for chips without floats.")
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="print the version of the toolchain and exit")
    parser.add_argument("model", help="the model in f32")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the model to write")
    parser.add_argument("--samples", metavar="DIR", help="the directory with the inputs to calibrate with, a file .npy or .npz for each "
                        "sample")
    parser.add_argument("--input", metavar="FILES", action="append", default=[], help="the inputs of one sample: an .npz, or .npy and .pb "
                        "files separated by commas, in order or as name=file; may be repeated")
    parser.add_argument("--random-samples", metavar="COUNT", type=parse_positive, help="the number of random samples "
                        "where no others are given; the default is 4")
    parser.add_argument("--seed", metavar="SEED", type=parse_seed, help="the seed of the first random sample; the default is 0")
    parser.add_argument("--activations", choices=("i8", "u8"), default="i8", help="the type of activations, with a zero point each; "
                        "the default is i8")
    parser.add_argument("--weights", choices=("per-channel", "per-tensor"), default="per-channel", help="the scales of weights: one for each "
                        "output channel, or one for all; the default is per-channel")
    parser.add_argument("--calibrate", choices=("minmax", "percentile"), default="minmax", help="the ranges of activations: all numbers that "
                        "were seen, or all but a few; the default is minmax")
    parser.add_argument("--percentile", metavar="PERCENT", type=parse_percentile, help="the share of numbers that --calibrate=percentile keeps "
                        "below the largest and above the smallest; the default is 99.99")
    parser.add_argument("--exclude", metavar="NODE", action="append", default=[], help="the name of a node that stays in f32, or of what it "
                        "writes; may be repeated")
    parser.add_argument("--onnx-dim", metavar="NAME=SIZE", action="append", default=[], help="the size of a named dimension, as for npu-run; may "
                        "be repeated")
    parser.add_argument("--onnx-seed-weights", metavar="SEED", type=parse_seed, help="replace weights whose elements are all equal by "
                        "pseudo-random ones, as npu-run does")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--npu-run", metavar="FILE", help="the npu-run to use; the default is the one beside npu-quantize, or in PATH")
    arguments = parser.parse_args()
    if arguments.samples is not None or arguments.input:
        for name, value in (("--random-samples", arguments.random_samples), ("--seed", arguments.seed)):
            if value is not None:
                parser.error(f"{name} has no effect with --samples or --input; remove it")
    if arguments.percentile is not None and arguments.calibrate != "percentile":
        parser.error("--percentile has no effect without --calibrate=percentile; add it")
    if os.path.exists(arguments.output) and os.path.exists(arguments.model) and os.path.samefile(arguments.output, arguments.model):
        parser.error("expected another file for -o than the model itself; name a new one")
    arguments.random_samples, arguments.seed = arguments.random_samples or 4, arguments.seed or 0
    arguments.percentile = arguments.percentile or 99.99
    return parser, arguments


def catch_signals():
    """Signals end the tool as errors do, so that no temporary files are left."""
    def stop(number, _):
        for signal_number in ENDING_SIGNALS:
            signal.signal(signal_number, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for number in ENDING_SIGNALS:
        # What nohup ignores stays ignored.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)


def main():
    parser, arguments = parse_arguments()
    if not onnx or not np:
        print(f"npu-quantize: error: expected Python's module {missing}, found none; install Debian's packages python3-onnx and "
              "python3-numpy", file=sys.stderr)
        return 1
    catch_signals()
    try:
        result = quantize(arguments)
        print(json.dumps(replace_infinities(result), indent=2)) if arguments.json else print_result(result)
        return 0
    except BadUsage as error:
        parser.error(str(error))
    except BadInput as error:
        print(f"npu-quantize: error: {error}", file=sys.stderr)
    except MemoryError:
        print("npu-quantize: error: expected memory for the tensors of the model, found too little; use a machine with more",
              file=sys.stderr)
    except OSError as error:
        name = f"{show(os.fsdecode(error.filename))}: " if isinstance(error.filename, (str, bytes)) else ""
        print(f"npu-quantize: error: {name}{error.strerror}", file=sys.stderr)
    except Exception as error:
        # Models are untrusted, and libraries are not made for all that a file may say.
        print(f"npu-quantize: error: {show(arguments.model)}: expected a model that the tool knows how to read, found one that it does not: "
              f"{type(error).__name__}: {show(error)}; report it with the model", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
