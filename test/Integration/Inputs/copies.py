"""copies.py <folder>: transpositions as models, and tensors of numbers that arithmetic would change."""
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])


def write(name, format, rows):
    code = {"f": "<f4", "h": "<f2"}[format]
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    bits = {"f": "I", "h": "H"}[format]
    data = b"".join(struct.pack(f"<{len(row)}{bits}", *row) for row in rows)
    (folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


# Zeros of both signs, the least denormals, infinities, quiet and signalling NaNs with payloads.
SPECIAL = {
    "f32": ("f", [0, 0x80000000, 1, 0x80000001, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC12345, 0x7F800001, 0xFFABCDEF]),
    "f16": ("h", [0, 0x8000, 1, 0x8001, 0x7C00, 0xFC00, 0x7E00, 0xFE12, 0x7C01, 0xFDEF]),
}
for name, (format, bits) in SPECIAL.items():
    rows = [[bits[(i + 3 * j) % len(bits)] for j in range(7)] for i in range(5)]
    write(f"{name}.npy", format, rows)
    write(f"{name}_transposed.npy", format, [list(column) for column in zip(*rows)])
    (folder / f"{name}.mlir").write_text(f"""
func.func @main(%x: tensor<5x7x{name}>) -> tensor<7x5x{name}> {{
  %e = tensor.empty() : tensor<7x5x{name}>
  %0 = linalg.transpose ins(%x : tensor<5x7x{name}>) outs(%e : tensor<7x5x{name}>) permutation = [1, 0]
  return %0 : tensor<7x5x{name}>
}}
""")
