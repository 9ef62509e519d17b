"""Writes products with weights of 8 bits, as exporters have them: DequantizeLinear of a constant, with a scale for each column or one for all."""
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
print("module attributes {onnx.opset = {ai.onnx = 13 : i64}} {")
matmul = '''onnx.node "MatMul"(%x, %f) : (tensor<{}x{}xf32>, !onnx.unknown) -> !onnx.unknown'''
write("columns", 16, f"tensor<{K}x{N}xi8>", columns, (f"tensor<{N}xi8>", "dense<0>"), matmul.format(16, K), "{axis = 1 : i64}")
write("points", 16, f"tensor<{K}x{N}xui8>", columns, (f"tensor<{N}xui8>", "dense_resource<z>"), matmul.format(16, K), "{axis = 1 : i64}")
write("row", 1, f"tensor<{K}x{N}xi8>", columns, (f"tensor<{N}xi8>", "dense<0>"), matmul.format(1, K), "{axis = -1 : i64}")
write("one", 16, f"tensor<{K}x{N}xi8>", ("tensor<f32>", "dense<0.01>"), ("tensor<i8>", "dense<3>"), matmul.format(16, K))
write("gemm", 16, f"tensor<{N}x{K}xi8>", columns, (f"tensor<{N}xi8>", "dense<0>"),
      f'onnx.node "Gemm"(%x, %f) {{transB = 1 : i64}} : (tensor<16x{K}xf32>, !onnx.unknown) -> !onnx.unknown', "{axis = 0 : i64}")
print(f'''}}
{{-#
  dialect_resources: {{builtin: {{w: "{get_bytes(K * N)}", s: "{get_scales(N)}", z: "{get_bytes(N, 100, 140)}"}}}}
#-}}''')
