// RUN: npu-opt %s | FileCheck %s
// RUN: npu-opt %s | npu-opt | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt | FileCheck %s

// CHECK: util.func private @types(!hal.allocator, !hal.buffer, !hal.buffer_view, !hal.channel, !hal.command_buffer, !hal.device, !hal.event, !hal.executable, !hal.fence, !hal.file, !hal.semaphore)
util.func private @types(!hal.allocator, !hal.buffer, !hal.buffer_view, !hal.channel, !hal.command_buffer, !hal.device, !hal.event, !hal.executable, !hal.fence, !hal.file, !hal.semaphore)

// CHECK-LABEL: util.func public @import
util.func public @import(%view: !hal.buffer_view, %buffer: !hal.buffer, %fence: !hal.fence, %d: index) {
  // CHECK: hal.tensor.import %arg0 : !hal.buffer_view -> tensor<4xf32>
  %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<4xf32>
  // CHECK: hal.tensor.import on(#hal.device.affinity<@dev>) wait(%arg2) => consume %arg1 offset(%arg3) "input0" : !hal.buffer -> tensor<?x4xf32> as tensor<?x2x2xf32>{%arg3} {note}
  %1 = hal.tensor.import on(#hal.device.affinity<@dev>) wait(%fence) => consume %buffer offset(%d) "input0" : !hal.buffer -> tensor<?x4xf32> as tensor<?x2x2xf32>{%d} {note}
  // CHECK: hal.tensor.export %{{.*}} : tensor<4xf32> -> !hal.buffer
  %2 = hal.tensor.export %0 : tensor<4xf32> -> !hal.buffer
  // CHECK: hal.tensor.export on(#hal.device.affinity<@dev>) %{{.*}} "output0" : tensor<?x4xf32> as tensor<?x2x2xf32>{%arg3} -> !hal.buffer_view {note}
  %3 = hal.tensor.export on(#hal.device.affinity<@dev>) %1 "output0" : tensor<?x4xf32> as tensor<?x2x2xf32>{%d} -> !hal.buffer_view {note}
  util.return
}
