// RUN: npu-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{unknown  type `bufer_view` in dialect `hal`}}
util.func private @type(!hal.bufer_view)

// -----

util.func public @import_dims(%view: !hal.buffer_view, %d: index) {
  // expected-error @below {{'hal.tensor.import' op expected 2 sizes for the dynamic dimensions of the result, found 1}}
  %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<?x?xf32>{%d}
  util.return
}

// -----

util.func public @import_bits(%view: !hal.buffer_view) {
  // expected-error @below {{'hal.tensor.import' op expected the type that the caller sees to have 128 bits, as 'tensor<4xf32>' has, found 'tensor<4xi8>' of 32 bits}}
  %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<4xi8> as tensor<4xf32>
  util.return
}

// -----

util.func public @import_encoding(%view: !hal.buffer_view) {
  // expected-error @below {{'hal.tensor.import' op expected the type that the caller sees to be a ranked tensor, found 'i32'}}
  %0 = hal.tensor.import %view : !hal.buffer_view -> i32 as tensor<1xi32>
  util.return
}

// -----

util.func public @export_dynamic(%t: tensor<4xf32>) {
  // expected-error @below {{'hal.tensor.export' op expected the type that the caller sees to have 0 dynamic dimensions, as 'tensor<4xf32>' has, found 'tensor<?xf32>'}}
  %0 = hal.tensor.export %t : tensor<?xf32> as tensor<4xf32> -> !hal.buffer_view
  util.return
}

// -----

util.func public @alias_dims(%t: tensor<?xf32>, %buffer: !hal.buffer) {
  // expected-error @below {{'hal.tensor.alias' op expected 1 sizes for the dynamic dimensions of the source, found 0}}
  %0 = hal.tensor.alias %t : tensor<?xf32> to %buffer : !hal.buffer
  util.return
}

// -----

util.func public @flags(%fence: !hal.fence) {
  // expected-error @below {{expected the flags "None", found "Some"}}
  %0 = hal.fence.join at([%fence]) flags("Some") -> !hal.fence
  util.return
}
