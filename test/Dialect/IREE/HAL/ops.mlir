// RUN: npu-opt %s | FileCheck %s
// RUN: npu-opt %s | npu-opt | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt | FileCheck %s

// CHECK: util.func private @types(%arg0: !hal.allocator, %arg1: !hal.buffer, %arg2: !hal.buffer_view, %arg3: !hal.channel, %arg4: !hal.command_buffer, %arg5: !hal.device, %arg6: !hal.event, %arg7: !hal.executable, %arg8: !hal.fence, %arg9: !hal.file, %arg10: !hal.semaphore)
util.func private @types(%arg0: !hal.allocator, %arg1: !hal.buffer, %arg2: !hal.buffer_view, %arg3: !hal.channel, %arg4: !hal.command_buffer, %arg5: !hal.device, %arg6: !hal.event, %arg7: !hal.executable, %arg8: !hal.fence, %arg9: !hal.file, %arg10: !hal.semaphore)

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

// CHECK-LABEL: util.func public @tensors
util.func public @tensors(%t: tensor<?xf32>, %buffer: !hal.buffer, %fence: !hal.fence, %d: index) {
  // CHECK: hal.tensor.alias on(#hal.device.affinity<@dev>) wait(%arg2) => %arg0 : tensor<?xf32>{%arg3} to %arg1 : !hal.buffer
  %0 = hal.tensor.alias on(#hal.device.affinity<@dev>) wait(%fence) => %t : tensor<?xf32>{%d} to %buffer : !hal.buffer
  // CHECK: hal.tensor.transients %arg0 : tensor<?xf32>{%arg3} from %arg1 : !hal.buffer
  %1 = hal.tensor.transients %t : tensor<?xf32>{%d} from %buffer : !hal.buffer
  // CHECK: hal.tensor.barrier join(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xf32>) => %arg2 : !hal.fence
  %2:2 = hal.tensor.barrier join(%0, %1 : tensor<?xf32>, tensor<?xf32>) => %fence : !hal.fence
  util.return
}

// CHECK-LABEL: util.func public @host
util.func public @host(%view: !hal.buffer_view, %fence: !hal.fence, %i: i32) {
  // CHECK: %[[D:.*]] = hal.device.resolve on(#hal.device.affinity<@dev>) : !hal.device
  %0 = hal.device.resolve on(#hal.device.affinity<@dev>) : !hal.device
  // CHECK: hal.device.resolve : !hal.device, i64
  %1:2 = hal.device.resolve : !hal.device, i64
  // CHECK: hal.buffer_view.dim<%arg0 : !hal.buffer_view>[1] : index
  %2 = hal.buffer_view.dim<%view : !hal.buffer_view>[1] : index
  // CHECK: hal.fence.create device(%[[D]] : !hal.device) flags("None") : !hal.fence
  %3 = hal.fence.create device(%0 : !hal.device) flags("None") : !hal.fence
  // CHECK: hal.fence.join at([%arg1, %{{.*}}]) flags("None") -> !hal.fence
  %4 = hal.fence.join at([%fence, %3]) flags("None") -> !hal.fence
  // CHECK: hal.fence.await until([%{{.*}}]) timeout_millis(%arg2) flags("None") : i32
  %5 = hal.fence.await until([%4]) timeout_millis(%i) flags("None") : i32
  // CHECK: hal.fence.signal<%arg1 : !hal.fence>
  hal.fence.signal<%fence : !hal.fence>
  // CHECK: hal.fence.query<%arg1 : !hal.fence> : i32
  %6 = hal.fence.query<%fence : !hal.fence> : i32
  // CHECK: hal.fence.fail<%arg1 : !hal.fence> status(%arg2)
  hal.fence.fail<%fence : !hal.fence> status(%i)
  // CHECK: hal.buffer_view.rank<%arg0 : !hal.buffer_view> : index
  %7 = hal.buffer_view.rank<%view : !hal.buffer_view> : index
  // CHECK: hal.buffer_view.element_type<%arg0 : !hal.buffer_view> : i32
  %8 = hal.buffer_view.element_type<%view : !hal.buffer_view> : i32
  // CHECK: hal.buffer_view.encoding_type<%arg0 : !hal.buffer_view> : i32
  %9 = hal.buffer_view.encoding_type<%view : !hal.buffer_view> : i32
  // CHECK: hal.buffer_view.buffer<%arg0 : !hal.buffer_view> : !hal.buffer
  %10 = hal.buffer_view.buffer<%view : !hal.buffer_view> : !hal.buffer
  // CHECK: %[[TYPE:.*]] = hal.element_type<f32> : i32
  %11 = hal.element_type<f32> : i32
  // CHECK: %[[ENCODING:.*]] = hal.encoding_type<dense_row_major> : i32
  %12 = hal.encoding_type<dense_row_major> : i32
  // CHECK: hal.encoding_type<"other"> : i32
  %13 = hal.encoding_type<"other"> : i32
  // CHECK: hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%{{.*}}, %{{.*}}]) type(%[[TYPE]]) encoding(%[[ENCODING]])
  hal.buffer_view.assert<%view : !hal.buffer_view> message("input0") shape([%2, %7]) type(%11) encoding(%12)
  util.return
}
