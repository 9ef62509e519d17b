// What StableHLO's lowering of JAX's functions has in bodies.

// RUN: npu-run %s --check --function=embedding | FileCheck %s
// RUN: npu-run %s --check --function=embedding_i64 | FileCheck %s
// RUN: npu-run %s --check --function=slices | FileCheck %s
// RUN: npu-run %s --check --function=gelu | FileCheck %s
// RUN: npu-run %s --check --function=decibels | FileCheck %s
// RUN: npu-run %s --check --function=unsigned_bytes | FileCheck %s
// RUN: npu-run %s --check --function=elu_bf16 | FileCheck %s

// CHECK: on the host: none
// CHECK: matches host

#a = affine_map<(a, b, c) -> (a, b)>
#i = affine_map<(a, b, c) -> (a)>
#id3 = affine_map<(a, b, c) -> (a, b, c)>
#id2 = affine_map<(a, b) -> (a, b)>

// jnp.take in mode "clip", as flax's Embed.
func.func @embedding(%table: tensor<100x64xf32>, %indices: tensor<2x8xi32>) -> tensor<2x8x64xf32> {
  %e = tensor.empty() : tensor<2x8x64xf32>
  %0 = linalg.generic {indexing_maps = [#a, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%indices : tensor<2x8xi32>) outs(%e : tensor<2x8x64xf32>) {
  ^bb0(%x: i32, %o: f32):
    %column = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %c99 = arith.constant 99 : index
    %cast = arith.index_cast %x : i32 to index
    %low = arith.maxsi %cast, %c0 : index
    %row = arith.minsi %low, %c99 : index
    %v = tensor.extract %table[%row, %column] : tensor<100x64xf32>
    linalg.yield %v : f32
  } -> tensor<2x8x64xf32>
  return %0 : tensor<2x8x64xf32>
}

// Indices of 64 bits, which the body reads by counters.
func.func @embedding_i64(%table: tensor<100x64xf32>, %indices: tensor<2x8xi64>) -> tensor<2x8x64xf32> {
  %e = tensor.empty() : tensor<2x8x64xf32>
  %0 = linalg.generic {indexing_maps = [#id3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<2x8x64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %column = linalg.index 2 : index
    %x = tensor.extract %indices[%i, %j] : tensor<2x8xi64>
    %cast = arith.index_cast %x : i64 to index
    %c0 = arith.constant 0 : index
    %c99 = arith.constant 99 : index
    %low = arith.maxsi %cast, %c0 : index
    %row = arith.minsi %low, %c99 : index
    %v = tensor.extract %table[%row, %column] : tensor<100x64xf32>
    linalg.yield %v : f32
  } -> tensor<2x8x64xf32>
  return %0 : tensor<2x8x64xf32>
}

// A gather of slices of four rows.
func.func @slices(%table: tensor<64x32xf32>, %indices: tensor<8xi32>) -> tensor<8x4x32xf32> {
  %e = tensor.empty() : tensor<8x4x32xf32>
  %0 = linalg.generic {indexing_maps = [#i, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%indices : tensor<8xi32>) outs(%e : tensor<8x4x32xf32>) {
  ^bb0(%x: i32, %o: f32):
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %c60 = arith.constant 60 : index
    %cast = arith.index_cast %x : i32 to index
    %low = arith.maxsi %cast, %c0 : index
    %in = arith.minsi %low, %c60 : index
    %at = arith.addi %in, %row : index
    %v = tensor.extract %table[%at, %column] : tensor<64x32xf32>
    linalg.yield %v : f32
  } -> tensor<8x4x32xf32>
  return %0 : tensor<8x4x32xf32>
}

// jax.nn.gelu(x, approximate=False) behind a product.
func.func @gelu(%x: tensor<16x32xf32>, %w: tensor<32x24xf32>) -> tensor<16x24xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant -0.707106769 : f32
  %e = tensor.empty() : tensor<16x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x24xf32>) -> tensor<16x24xf32>
  %p = linalg.matmul ins(%x, %w : tensor<16x32xf32>, tensor<32x24xf32>) outs(%z : tensor<16x24xf32>) -> tensor<16x24xf32>
  %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<16x24xf32>) outs(%e : tensor<16x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %scaled = arith.mulf %v, %root : f32
    %tail = math.erfc %scaled : f32
    %halved = arith.mulf %v, %half : f32
    %r = arith.mulf %halved, %tail : f32
    linalg.yield %r : f32
  } -> tensor<16x24xf32>
  return %0 : tensor<16x24xf32>
}

// A spectrogram's product in decibels, and in octaves.
func.func @decibels(%x: tensor<16x32xf32>, %w: tensor<32x24xf32>) -> (tensor<16x24xf32>, tensor<16x24xf32>) {
  %zero = arith.constant 0.0 : f32
  %ten = arith.constant 10.0 : f32
  %least = arith.constant 1.0e-10 : f32
  %e = tensor.empty() : tensor<16x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x24xf32>) -> tensor<16x24xf32>
  %p = linalg.matmul ins(%x, %w : tensor<16x32xf32>, tensor<32x24xf32>) outs(%z : tensor<16x24xf32>) -> tensor<16x24xf32>
  %0:2 = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<16x24xf32>) outs(%e, %e : tensor<16x24xf32>, tensor<16x24xf32>) {
  ^bb0(%v: f32, %o0: f32, %o1: f32):
    %power = arith.mulf %v, %v : f32
    %bounded = arith.maximumf %power, %least : f32
    %log = math.log10 %bounded : f32
    %r = arith.mulf %log, %ten : f32
    %octaves = math.log2 %bounded : f32
    %round = math.round %octaves : f32
    linalg.yield %r, %round : f32, f32
  } -> (tensor<16x24xf32>, tensor<16x24xf32>)
  return %0#0, %0#1 : tensor<16x24xf32>, tensor<16x24xf32>
}

// A quantized result of unsigned bytes.
func.func @unsigned_bytes(%x: tensor<16x32xi8>, %w: tensor<32x24xi8>) -> tensor<16x24xi8> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.05 : f32
  %lower = arith.constant 0.0 : f32
  %upper = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<16x24xi32>
  %b = tensor.empty() : tensor<16x24xi8>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<16x24xi32>) -> tensor<16x24xi32>
  %p = linalg.matmul ins(%x, %w : tensor<16x32xi8>, tensor<32x24xi8>) outs(%z : tensor<16x24xi32>) -> tensor<16x24xi32>
  %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<16x24xi32>) outs(%b : tensor<16x24xi8>) {
  ^bb0(%v: i32, %o: i8):
    %f = arith.sitofp %v : i32 to f32
    %s = arith.mulf %f, %scale : f32
    %r = math.roundeven %s : f32
    %l = arith.maximumf %r, %lower : f32
    %u = arith.minimumf %l, %upper : f32
    %byte = arith.fptoui %u : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<16x24xi8>
  return %0 : tensor<16x24xi8>
}

// The reference, too, has the digits of e^x - 1 near zero.
func.func @elu_bf16(%x: tensor<8x256xbf16>) -> tensor<8x256xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x256xbf16>
  %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x256xbf16>) outs(%e : tensor<8x256xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %m = math.expm1 %v : bf16
    %c = arith.cmpf ogt, %v, %zero : bf16
    %r = arith.select %c, %v, %m : bf16
    linalg.yield %r : bf16
  } -> tensor<8x256xbf16>
  return %0 : tensor<8x256xbf16>
}
