// RUN: npu-opt %s --npu-print-dispatches --split-input-file -o /dev/null | FileCheck %s
// RUN: npu-opt %s --npu-print-dispatches=extents=true --split-input-file -o /dev/null | FileCheck %s --check-prefix=EXTENTS

// The order is that of the host functions, not that of the executables, and an executable counts each
// time it is dispatched. One that is elsewhere is shown as such.
// CHECK:      Dispatch #0: op: linalg.matmul M=128 N=64 K=256 dtype: f16
// EXTENTS:      Dispatch #0: contraction parallel=8192 reduction=256 loops=128x64x256
// CHECK-NEXT: Dispatch #1: op: linalg.generic shape=128x64 dtype: f16
// EXTENTS-NEXT: Dispatch #1: elementwise parallel=8192 reduction=1 loops=128x64
// CHECK-NEXT: Dispatch #2: op: linalg.matmul M=128 N=64 K=256 dtype: f16
// EXTENTS-NEXT: Dispatch #2: contraction parallel=8192 reduction=256 loops=128x64x256
// CHECK-NEXT: Dispatch #3: op: external @elsewhere::@code
// EXTENTS-NEXT: Dispatch #3: external
// CHECK-NEXT: Dispatch #4: op: copy shape=128x64 dtype: f16
// EXTENTS-NEXT: Dispatch #4: copy
flow.executable private @relu {
  flow.executable.export public @relu
  builtin.module {
    func.func @relu(%arg0: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<128x64xf16>>) {
      %zero = arith.constant 0.0 : f16
      %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<128x64xf16>> -> tensor<128x64xf16>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<128x64xf16>) {
      ^bb0(%out: f16):
        %2 = arith.maximumf %out, %zero : f16
        linalg.yield %2 : f16
      } -> tensor<128x64xf16>
      iree_tensor_ext.dispatch.tensor.store %1, %arg0, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : tensor<128x64xf16> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<128x64xf16>>
      return
    }
  }
}
flow.executable private @matmul {
  flow.executable.export public @matmul
  builtin.module {
    func.func @matmul(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x256xf16>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf16>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf16>>) {
      %zero = arith.constant 0.0 : f16
      %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [128, 256], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x256xf16>> -> tensor<128x256xf16>
      %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [256, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf16>> -> tensor<256x64xf16>
      %2 = tensor.empty() : tensor<128x64xf16>
      %3 = linalg.fill ins(%zero : f16) outs(%2 : tensor<128x64xf16>) -> tensor<128x64xf16>
      %4 = linalg.matmul ins(%0, %1 : tensor<128x256xf16>, tensor<256x64xf16>) outs(%3 : tensor<128x64xf16>) -> tensor<128x64xf16>
      iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : tensor<128x64xf16> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf16>>
      return
    }
  }
}
util.func public @main(%a: tensor<128x256xf16>, %b: tensor<256x64xf16>) -> tensor<128x64xf16> {
  %0 = flow.dispatch @matmul::@matmul(%a, %b) : (tensor<128x256xf16>, tensor<256x64xf16>) -> tensor<128x64xf16>
  %1 = flow.dispatch @relu::@relu(%0) : (tensor<128x64xf16>) -> %0
  %2 = flow.dispatch @matmul::@matmul(%a, %b) : (tensor<128x256xf16>, tensor<256x64xf16>) -> tensor<128x64xf16>
  flow.dispatch @elsewhere::@code(%2) : (tensor<128x64xf16>) -> ()
  %3 = flow.dispatch.workgroups(%1) : (tensor<128x64xf16>) -> tensor<128x64xf16> =
      (%i: !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x64xf16>>, %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf16>>) {
    %4 = iree_tensor_ext.dispatch.tensor.load %i, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x64xf16>> -> tensor<128x64xf16>
    iree_tensor_ext.dispatch.tensor.store %4, %o, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : tensor<128x64xf16> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf16>>
    flow.return
  }
  util.return %3 : tensor<128x64xf16>
}

// -----

// Without dispatches each function is one.
// CHECK: Dispatch #0: op: linalg.batch_matmul B=8 M=? N=32 K=16 dtype: i8xi8xi32
// EXTENTS: Dispatch #0: contraction parallel=? reduction=16 loops=8x?x32x16
func.func @batch_matmul(%a: tensor<8x?x16xi8>, %b: tensor<8x16x32xi8>, %c: tensor<8x?x32xi32>) -> tensor<8x?x32xi32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<8x?x16xi8>, tensor<8x16x32xi8>) outs(%c : tensor<8x?x32xi32>) -> tensor<8x?x32xi32>
  return %0 : tensor<8x?x32xi32>
}

// A generic that is a matmul with transposed B, and what follows it is not the root.
// CHECK-NEXT: Dispatch #1: op: linalg.generic M=4 N=16 K=8 dtype: f32
// EXTENTS-NEXT: Dispatch #1: contraction parallel=64 reduction=8 loops=4x16x8
func.func @generic(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %z, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %3 = linalg.exp ins(%0 : tensor<4x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// CHECK-NEXT: Dispatch #2: op: linalg.matvec M=4 N=1 K=8 dtype: f32
// EXTENTS-NEXT: Dispatch #2: contraction parallel=4 reduction=8 loops=4x8
func.func @matvec(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.matvec ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-NEXT: Dispatch #3: op: linalg.conv_2d_nhwc_hwcf N=2 H=33 W=17 C=8 F=16 OH=15 OW=15 kernel=5x3 stride=2x1 dilation=1x1 groups=1 dtype: i8xi8xi32
// EXTENTS-NEXT: Dispatch #3: convolution parallel=7200 reduction=120 loops=2x15x15x16x5x3x8
func.func @conv(%a: tensor<2x33x17x8xi8>, %b: tensor<5x3x8x16xi8>, %c: tensor<2x15x15x16xi32>) -> tensor<2x15x15x16xi32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b : tensor<2x33x17x8xi8>, tensor<5x3x8x16xi8>) outs(%c : tensor<2x15x15x16xi32>) -> tensor<2x15x15x16xi32>
  return %0 : tensor<2x15x15x16xi32>
}

// Upstream infers no dimensions of a convolution with zero points: it shows its loops. The zero points
// are not part of the type. Of integers, zero points become sums.
// CHECK-NEXT: Dispatch #4: op: linalg.conv_2d_nhwc_hwcf_q shape=1x4x4x4x3x3x4 dtype: f32
// EXTENTS-NEXT: Dispatch #4: convolution parallel=64 reduction=36 loops=1x4x4x4x3x3x4
func.func @quantized(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %zero: f32, %c: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<2> : tensor<2xi64>} ins(%a, %b, %zero, %zero : tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, f32, f32) outs(%c : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// CHECK-NEXT: Dispatch #5: op: linalg.conv_2d_ngchw_gfchw N=1 H=8 W=8 C=12 F=20 OH=6 OW=6 kernel=3x3 stride=1x1 dilation=1x1 groups=4 dtype: f32
// EXTENTS-NEXT: Dispatch #5: convolution parallel=720 reduction=27 loops=1x4x5x6x6x3x3x3
func.func @grouped(%a: tensor<1x4x3x8x8xf32>, %b: tensor<4x5x3x3x3xf32>, %c: tensor<1x4x5x6x6xf32>) -> tensor<1x4x5x6x6xf32> {
  %0 = linalg.conv_2d_ngchw_gfchw ins(%a, %b : tensor<1x4x3x8x8xf32>, tensor<4x5x3x3x3xf32>) outs(%c : tensor<1x4x5x6x6xf32>) -> tensor<1x4x5x6x6xf32>
  return %0 : tensor<1x4x5x6x6xf32>
}

// CHECK-NEXT: Dispatch #6: op: linalg.depthwise_conv_2d_nhwc_hwcm N=1 H=8 W=8 C=4 F=8 OH=6 OW=6 kernel=3x3 stride=1x1 dilation=1x1 groups=4 dtype: f32
// EXTENTS-NEXT: Dispatch #6: convolution parallel=288 reduction=9 loops=1x6x6x4x2x3x3
func.func @depthwise(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x2xf32>, %c: tensor<1x6x6x4x2xf32>) -> tensor<1x6x6x4x2xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%a, %b : tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) outs(%c : tensor<1x6x6x4x2xf32>) -> tensor<1x6x6x4x2xf32>
  return %0 : tensor<1x6x6x4x2xf32>
}

// CHECK-NEXT: Dispatch #7: op: linalg.pooling_nhwc_max NC=8 H=8 W=8 OH=4 OW=4 kernel=2x2 stride=2x2 dilation=1x1 dtype: f32
// EXTENTS-NEXT: Dispatch #7: pooling parallel=128 reduction=4 loops=2x4x4x4x2x2
func.func @pooling(%a: tensor<2x8x8x4xf32>, %b: tensor<2x2xf32>, %c: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
  %0 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x8x8x4xf32>, tensor<2x2xf32>) outs(%c : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  return %0 : tensor<2x4x4x4xf32>
}

// CHECK-NEXT: Dispatch #8: op: tensor.pad shape=6x6 dtype: f32
// EXTENTS-NEXT: Dispatch #8: tensor.pad
func.func @pad(%a: tensor<4x4xf32>, %v: f32) -> tensor<6x6xf32> {
  %0 = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// CHECK-NEXT: Dispatch #9: op: linalg.generic shape=scalar dtype: i32xf32
// EXTENTS-NEXT: Dispatch #9: elementwise parallel=1 reduction=1 loops=scalar
func.func @scalar(%a: tensor<i32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%a : tensor<i32>) outs(%b : tensor<f32>) {
  ^bb0(%x: i32, %y: f32):
    %1 = arith.sitofp %x : i32 to f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// Nothing to compute is a copy, a declaration is nothing.
// CHECK-NEXT: Dispatch #10: op: copy
// EXTENTS-NEXT: Dispatch #10: copy
// CHECK-NOT:  Dispatch
func.func @nothing() {
  return
}
func.func private @declaration(tensor<4xf32>)
