"""Writes the files of tensors that the tests read, with nothing but the standard library.

usage: write-tensors.py DIRECTORY
Weights are those of parameters.mlir: scale = 1 2 3 4, bias = 10 20 30 40.
"""
import json
import os
import struct
import sys
import zipfile


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def npy(values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + floats(*values)


def irpa(parameters):
    table, names, data = b"", b"", b""
    for name, contents in parameters.items():
        table += struct.pack("<QIQQQQQQQQ", 76, 2, 0, len(names), len(name), 0, 0, 64, len(data),
                             len(contents)) + bytes(4)
        names += name.encode()
        data += contents
    starts = [96, 96 + len(table), 96 + len(table) + len(names)]
    sizes = [len(table), len(names), len(data)]
    header = b"IRPA" + struct.pack("<HHQQQQ", 0, 0, 88, 0, 0, len(parameters))
    for start, size in zip(starts, sizes):
        header += struct.pack("<QQ", start, size)
    return header + bytes(8) + table + names + data


def safetensors(parameters):
    header, data = {"__metadata__": {"format": "np"}}, b""
    for name, contents in parameters.items():
        header[name] = {"dtype": "F32", "shape": [len(contents) // 4],
                        "data_offsets": [len(data), len(data) + len(contents)]}
        data += contents
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


os.makedirs(sys.argv[1], exist_ok=True)
os.chdir(sys.argv[1])
scale, bias = (1, 2, 3, 4), (10, 20, 30, 40)
files = {
    "model.irpa": irpa({"scale": floats(*scale), "bias": floats(*bias)}),
    "model.safetensors": safetensors({"scale": floats(*scale), "bias": floats(*bias)}),
    "short.safetensors": safetensors({"scale": floats(*scale[:3]), "bias": floats(*bias)}),
    "scale.irpa": irpa({"scale": floats(*scale)}),
    "x.npy": npy((1, 1, 2, 2)),
    "two.npy": npy((5, 6, 7, 8)) + npy((1, 1, 2, 2)),
    "y.npy": npy((11, 22, 36, 48)),
    # TensorProto: dims = 4, data_type = FLOAT, raw_data
    "x.pb": bytes([8, 4, 16, 1, 74, 16]) + floats(1, 1, 2, 2),
    "x.bin": floats(1, 1, 2, 2),
}
for path, contents in files.items():
    with open(path, "wb") as file:
        file.write(contents)
with zipfile.ZipFile("model.npz", "w") as archive:
    archive.writestr("scale.npy", npy(scale))
    archive.writestr("bias.npy", npy(bias), zipfile.ZIP_DEFLATED)
