// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-tensor-pad-to-tensor-insert-slice{keep-windows=true}))' --remarks-filter=npu-fusion %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-tensor-pad-to-tensor-insert-slice))' --remarks-filter=npu-fusion %s 2>&1 >/dev/null | FileCheck %s --check-prefix=IREE
// RUN: npu-opt --npu-dispatch-creation-pipeline %s | FileCheck %s --check-prefix=DISPATCH

// The padding of a convolution stays, and is part of its dispatch: no copy, no fill.
// CHECK-LABEL: @conv
// CHECK:         %[[P:.*]] = tensor.pad
// CHECK:         linalg.conv_2d_nhwc_hwcf ins(%[[P]]
// REMARK-NOT:  Function=conv
// IREE:        [Missed] NotFused {{.*}} Function=conv | Reason="IREE writes padded tensors before windows of them are read", consumer="linalg.conv_2d_nhwc_hwcf {{.*}}", producer="tensor.pad
// DISPATCH-LABEL: util.func public @conv
// DISPATCH-NOT:     flow.tensor
// DISPATCH:         flow.dispatch.workgroups
// DISPATCH:           %[[P:.*]] = tensor.pad
// DISPATCH:           linalg.conv_2d_nhwc_hwcf ins(%[[P]]
// DISPATCH-NOT:     flow.dispatch.workgroups
// DISPATCH:         util.return
util.func public @conv(%a: tensor<2x4x4x3xf32>, %b: tensor<3x3x3x8xf32>, %e: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x4x4x3xf32> to tensor<2x6x6x3xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%0, %b : tensor<2x6x6x3xf32>, tensor<3x3x3x8xf32>) outs(%e : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  util.return %1 : tensor<2x4x4x8xf32>
}

// What is also read whole is written once.
// CHECK-LABEL: @returned
// CHECK-NOT:     tensor.pad
// CHECK:         tensor.insert_slice
// REMARK:      NotFused {{.*}} Function=returned | Reason="others read the padded tensor as well", consumer="linalg.conv_2d_nhwc_hwcf
// REMARK:      NotFused {{.*}} Function=returned | Reason="the consumer does not read windows of the padded tensor", consumer="linalg.exp
util.func public @returned(%a: tensor<2x4x4x3xf32>, %b: tensor<3x3x3x8xf32>, %e: tensor<2x4x4x8xf32>, %f: tensor<2x6x6x3xf32>) -> (tensor<2x4x4x8xf32>, tensor<2x6x6x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x4x4x3xf32> to tensor<2x6x6x3xf32>
  %1 = linalg.exp ins(%0 : tensor<2x6x6x3xf32>) outs(%f : tensor<2x6x6x3xf32>) -> tensor<2x6x6x3xf32>
  %2 = linalg.conv_2d_nhwc_hwcf ins(%0, %b : tensor<2x6x6x3xf32>, tensor<3x3x3x8xf32>) outs(%e : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  util.return %2, %1 : tensor<2x4x4x8xf32>, tensor<2x6x6x3xf32>
}
