"""usage: print-arenas.py <npu-translate> <networks> <folder>: a row for each network, with the bytes of its intermediates and of what lives at once."""
import json
import pathlib
import subprocess
import sys

NETWORKS = {"ResNet-50, f32": "net_resnet50_nhwc_f32", "ResNet-50, f16": "net_resnet50_nchw_f16", "ResNet-18, f32": "net_resnet18_nchw_f32",
            "BERT-base, f32, 128 tokens": "net_bert_base_f32"}

tool, networks, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
folder.mkdir(exist_ok=True)
for name, network in NETWORKS.items():
    graph = folder / "network.npu.json"
    subprocess.run([tool, "--mlir-to-npu-json", networks / network / "flow.mlir", "-o", graph], check=True)
    memory = json.loads(graph.read_text())["memory"]
    print(f"| {name} | {memory['regions']['intermediates']:,} | {memory['liveSetBytes']:,} |")
