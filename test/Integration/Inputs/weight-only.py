"""Writes products with weights of few bits, as exporters have them: DequantizeLinear of a constant, with a scale for each column, for each block of
32 or one for all, and MatMulNBits."""
import random
import struct

K, N = 512, 500
random.seed(1)


def get_bytes(count, low=0, high=256):
    return "0x01000000" + bytes(random.randrange(low, high) for _ in range(count)).hex().upper()


def get_scales(count):
    return "0x04000000" + b"".join(struct.pack("<f", random.uniform(0.001, 0.01)) for _ in range(count)).hex().upper()


def write(name, rows, weights, scale, point, product, attributes=""):
    """`weights`, `scale`, and `point` are a type and a value; a product reads the activations %x and the weights %f."""
    print(f"""  func.func @{name}(%x: tensor<{rows}x{K}xf32>) -> !onnx.unknown {{
    %w = onnx.constant dense_resource<w> : {weights}
    %s = onnx.constant {scale[1]} : {scale[0]}
    %z = onnx.constant {point[1]} : {point[0]}
    %f = onnx.node "DequantizeLinear"(%w, %s, %z) {attributes} : ({weights}, {scale[0]}, {point[0]}) -> !onnx.unknown
    %y = {product}
    return %y : !onnx.unknown
  }}""")


columns = f"tensor<{N}xf32>", "dense_resource<s>"
print("module attributes {onnx.opset = {ai.onnx = 21 : i64, com.microsoft = 1 : i64}} {")
matmul = '''onnx.node "MatMul"(%x, %f) : (tensor<{}x{}xf32>, !onnx.unknown) -> !onnx.unknown'''
write("columns", 16, f"tensor<{K}x{N}xi8>", columns, (f"tensor<{N}xi8>", "dense<0>"), matmul.format(16, K), "{axis = 1 : i64}")
write("points", 16, f"tensor<{K}x{N}xui8>", columns, (f"tensor<{N}xui8>", "dense_resource<z>"), matmul.format(16, K), "{axis = 1 : i64}")
write("row", 1, f"tensor<{K}x{N}xi8>", columns, (f"tensor<{N}xi8>", "dense<0>"), matmul.format(1, K), "{axis = -1 : i64}")
write("one", 16, f"tensor<{K}x{N}xi8>", ("tensor<f32>", "dense<0.01>"), ("tensor<i8>", "dense<3>"), matmul.format(16, K))
write("gemm", 16, f"tensor<{N}x{K}xi8>", columns, (f"tensor<{N}xi8>", "dense<0>"),
      f'onnx.node "Gemm"(%x, %f) {{transB = 1 : i64}} : (tensor<16x{K}xf32>, !onnx.unknown) -> !onnx.unknown', "{axis = 0 : i64}")
blocks = K // 32
write("blocks", 16, f"tensor<{K}x{N}xi8>", (f"tensor<{blocks}x{N}xf32>", "dense_resource<bs>"), (f"tensor<{blocks}x{N}xi8>", "dense_resource<bz8>"),
      matmul.format(16, K), "{axis = 0 : i64, block_size = 32 : i64}")
for bits in 8, 4, 2:
    types = f"tensor<{N}x{blocks}x{4 * bits}xui8>", f"tensor<{N}x{blocks}xf32>", f"tensor<{N * blocks * bits // 8}xui8>"
    print(f"""  func.func @bits{bits}(%x: tensor<16x{K}xf32>) -> !onnx.unknown {{
    %w = onnx.constant dense_resource<bw{bits}> : {types[0]}
    %s = onnx.constant dense_resource<bs> : {types[1]}
    %z = onnx.constant dense_resource<bz{bits}> : {types[2]}
    %y = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s, %z) {{K = {K} : i64, N = {N} : i64, bits = {bits} : i64, block_size = 32 : i64}}
        : (tensor<16x{K}xf32>, {", ".join(types)}) -> !onnx.unknown
    return %y : !onnx.unknown
  }}""")
resources = {"w": get_bytes(K * N), "s": get_scales(N), "z": get_bytes(N, 100, 140), "bs": get_scales(N * blocks)}
for bits in 8, 4, 2:
    resources |= {f"bw{bits}": get_bytes(N * K * bits // 8), f"bz{bits}": get_bytes(N * blocks * bits // 8)}
print("}\n{-#\n  dialect_resources: {builtin: {" + ", ".join(f'{name}: "{value}"' for name, value in resources.items()) + "}}\n#-}")
