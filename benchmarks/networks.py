#!/usr/bin/env python3
"""Simulated cycles of whole networks against their limits.

usage: networks.py [--target=<target>] [--base=<target>] [--search=<effort>] [--only=<part of a name>] [--reports=<folder>]
                   <npu-run> <shared>

The limit of a network is what npu-run reports, that of its dispatches as one program (docs/reports.md).
A network as segments is compared with one program per dispatch, and with the base, as segments;
`--search` says how these are searched, as npu-run's --npu-search. `--reports` keeps what npu-run prints, for other tables, and
takes from there what others have kept. Networks are those of <shared>/corpus from their input, one of
them in f16 instead of f32, and those of scripts/networks.py. Nothing depends on the machine.
"""
import argparse
import pathlib
import tempfile

from measuring import time_network, write_network

CORPUS = {"ResNet-50 f16 NCHW": "net_resnet50_nchw_f16", "ResNet-50 f32 NHWC": "net_resnet50_nhwc_f32",
          "ResNet-18 f32": "net_resnet18_nchw_f32", "BERT-base f32": "net_bert_base_f32"}
HALVES = {"BERT-base f16": "net_bert_base_f32"}
WRITTEN = {"ResNet-50 i8": ("resnet50", "i8"), "MobileNetV2 i8": ("mobilenetv2", "i8"), "MobileNetV2 f32": ("mobilenetv2", "f32")}


def halve(text):
    """The same network in f16: its parameters and what it computes; minus infinity is the one constant written in bits."""
    return text.replace("f32", "f16").replace("0xFF800000", "0xFC00")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="npu-v1")
    parser.add_argument("--base")
    parser.add_argument("--search")
    parser.add_argument("--only", default="")
    parser.add_argument("--reports", type=pathlib.Path)
    parser.add_argument("tool")
    parser.add_argument("shared", type=pathlib.Path)
    arguments = parser.parse_args()
    base = arguments.base
    print("| network | dispatches on the NPU | cycles | / limit | one program per dispatch | / limit | DRAM, MB | one program per "
          f"dispatch |{f' x of {base} |' if base else ''}\n|---|---|---|---|---|---|---|---|{'---|' if base else ''}")
    with tempfile.TemporaryDirectory() as temporary:
        # A name for its reports that the next table has as well.
        folder = pathlib.Path(temporary) / "written"
        folder.mkdir()
        models = {name: arguments.shared / "corpus" / "iree" / model / "input.mlir" for name, model in CORPUS.items()}
        for name, network in HALVES.items():
            models[name] = pathlib.Path(folder) / f"{network}-f16.mlir"
            models[name].write_text(halve((arguments.shared / "corpus" / "iree" / network / "input.mlir").read_text()))
        for name, network in WRITTEN.items():
            models[name] = write_network(folder, *network)
        for name, model in models.items():
            if arguments.only not in name:
                continue
            search = [f"--npu-search={arguments.search}"] if arguments.search else []
            segments, alone = (time_network(arguments.tool, arguments.target, model, *options, reports=arguments.reports)
                               for options in (search, ["--npu-segments=off"]))
            print(f"| {name} | {segments.on_npu} of {segments.dispatches} | {segments.cycles} | "
                  f"{segments.cycles / segments.limit:.3f} | {alone.cycles} | {alone.cycles / segments.limit:.3f} | "
                  f"{segments.moved / 1e6:.1f} | {alone.moved / 1e6:.1f} |", end="")
            if base:
                print(f" {time_network(arguments.tool, base, model, reports=arguments.reports).cycles / segments.cycles:.2f} |", end="")
            print(flush=True)


main()
