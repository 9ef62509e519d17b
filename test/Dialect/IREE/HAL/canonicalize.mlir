// RUN: npu-opt %s --canonicalize | FileCheck %s

// A tensor that goes back to the buffer it comes from is that buffer.
// CHECK-LABEL: @round_trip
// CHECK-NEXT: util.return %arg0 : !hal.buffer_view
util.func public @round_trip(%view: !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.tensor.import %view "input" : !hal.buffer_view -> tensor<4xf32>
  %1 = hal.tensor.export %0 "output" : tensor<4xf32> -> !hal.buffer_view
  util.return %1 : !hal.buffer_view
}

// CHECK-LABEL: @back_again
// CHECK-NEXT: util.return %arg0 : tensor<4xf32>
util.func public @back_again(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = hal.tensor.export %t : tensor<4xf32> -> !hal.buffer_view
  %1 = hal.tensor.import %0 : !hal.buffer_view -> tensor<4xf32>
  util.return %1 : tensor<4xf32>
}

// With another type outside, or a fence to wait for, it is not.
// CHECK-LABEL: @not_the_same
// CHECK-COUNT-2: hal.tensor.export
util.func public @not_the_same(%view: !hal.buffer_view, %fence: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
  %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<4xf32>
  %1 = hal.tensor.export %0 : tensor<2x2xf32> as tensor<4xf32> -> !hal.buffer_view
  %2 = hal.tensor.import wait(%fence) => %view : !hal.buffer_view -> tensor<4xf32>
  %3 = hal.tensor.export %2 : tensor<4xf32> -> !hal.buffer_view
  util.return %1, %3 : !hal.buffer_view, !hal.buffer_view
}
