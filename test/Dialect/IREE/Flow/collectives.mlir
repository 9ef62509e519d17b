// Ops between devices are read and printed, and refused where a program runs: the NPU is one device.

// RUN: npu-opt %s > %t.mlir && npu-opt %t.mlir | diff %t.mlir - && FileCheck %s < %t.mlir
// RUN: not npu-run %s 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: not npu-run %s --check 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: not npu-run %s --plan 2>&1 | FileCheck %s --check-prefix=RAN

// RAN: collectives.mlir:[[#@LINE+7]]:{{[0-9]+}}: error: 'flow.channel.default' op expected a program for one device

// CHECK-LABEL: util.func public @f
util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %default_channel = flow.channel.default : !flow.channel
  %0 = flow.channel.default : !flow.channel
  // CHECK: %default_channel_0 = flow.channel.default "group" : !flow.channel
  %1 = flow.channel.default "group" : !flow.channel
  // CHECK: %channel_rank = flow.channel.rank %default_channel : index
  %2 = flow.channel.rank %0 : index
  // CHECK: %channel_count = flow.channel.count %default_channel_0 : index
  %3 = flow.channel.count %1 : index
  // CHECK: %channel = flow.channel.split %default_channel, %channel_rank, %channel_count : !flow.channel -> !flow.channel
  %4 = flow.channel.split %0, %2, %3 : !flow.channel -> !flow.channel
  %5 = flow.tensor.empty : tensor<4xf32>
  // CHECK: flow.collective.all_reduce sum, f32, %0, %arg0, %channel : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %0 as tensor<4xf32>
  %6 = flow.collective.all_reduce sum, f32, %5, %a, %4 : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> %5 as tensor<4xf32>
  // CHECK: flow.collective.all_to_all f32, %0, %1, %channel : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> tensor<4xf32>
  %7 = flow.collective.all_to_all f32, %5, %6, %4 : (tensor<4xf32>, tensor<4xf32>, !flow.channel) -> tensor<4xf32>
  // CHECK: flow.collective.send_recv f32, %0, %2, %channel, %c0, %c1 : (tensor<4xf32>, tensor<4xf32>, !flow.channel, index, index) -> %0 as tensor<4xf32>
  %8 = flow.collective.send_recv f32, %5, %7, %4, %c0, %c1 : (tensor<4xf32>, tensor<4xf32>, !flow.channel, index, index) -> %5 as tensor<4xf32>
  util.return %8 : tensor<4xf32>
}

// CHECK-LABEL: util.func private @more
util.func private @more(%a: tensor<?xui32>, %b: tensor<2xui32>, %d: index, %c: !flow.channel) -> (tensor<?xui32>, tensor<2xui32>) {
  // CHECK: flow.collective.all_gather ui32, %arg0, %arg1, %arg3 : (tensor<?xui32>, tensor<2xui32>, !flow.channel) -> %arg0 as tensor<?xui32>{%arg2}
  %0 = flow.collective.all_gather ui32, %a, %b, %c : (tensor<?xui32>, tensor<2xui32>, !flow.channel) -> %a as tensor<?xui32>{%d}
  // CHECK: flow.collective.reduce_scatter average, ui32, %arg1, %0, %arg3 : (tensor<2xui32>, tensor<?xui32>, !flow.channel) -> %arg1 as tensor<2xui32>
  %1 = flow.collective.reduce_scatter average, ui32, %b, %0, %c : (tensor<2xui32>, tensor<?xui32>, !flow.channel) -> %b as tensor<2xui32>
  util.return %0, %1 : tensor<?xui32>, tensor<2xui32>
}
