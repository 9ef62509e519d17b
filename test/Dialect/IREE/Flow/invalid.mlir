// RUN: npu-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

flow.executable private @ex {
  // expected-error @below {{'flow.executable.export' op expected a function @missing in the executable's module}}
  flow.executable.export public @missing
  builtin.module {
  }
}

// -----

// expected-error @below {{'flow.executable' op expected at most one builtin.module, found 2}}
flow.executable private @ex {
  builtin.module {
  }
  // expected-note @below {{the second one is here}}
  builtin.module {
  }
}

// -----

// The body of an executable must be there.
// expected-error @below {{expected '{' to begin a region}}
flow.executable private @ex

// -----

flow.executable private @ex {
  // expected-error @below {{expected the workgroup count to be (index, index, index)}}
  flow.executable.export public @f workgroups() -> (index, index) {
  }
}

// -----

flow.executable private @ex {
  // expected-error @below {{'flow.executable.export' op expected the workgroup count region to end in 'flow.return'}}
  flow.executable.export public @f workgroups() -> (index, index, index) {
    %c1 = arith.constant 1 : index
    "foreign.end"() : () -> ()
  }
}

// -----

flow.executable private @ex {
  flow.executable.export public @f workgroups(%w: index) -> (index, index, index) {
    // expected-error @below {{'flow.return' op expected three index values, the workgroup count in x, y and z, found ('index')}}
    flow.return %w : index
  }
}

// -----

flow.executable private @ex {
  // expected-error @below {{expected the arguments of the workgroup count region to be index values, found 'i32'}}
  flow.executable.export public @f workgroups(%w: i32) -> (index, index, index) {
    %c1 = arith.constant 1 : index
    flow.return %c1, %c1, %c1 : index, index, index
  }
}

// -----

flow.executable private @ex {
  // expected-note @below {{the entry point is exported here}}
  flow.executable.export public @f workgroups(%w: index) -> (index, index, index) {
    flow.return %w, %w, %w : index, index, index
  }
}
util.func public @wrong_workload(%i: index) {
  // expected-error @below {{'flow.dispatch' op expected 1 workload operands, one for each argument of the workgroup count region, found 2}}
  flow.dispatch @ex::@f[%i, %i]() : () -> ()
  util.return
}

// -----

util.func public @no_entry_point() {
  // expected-error @below {{'flow.dispatch' op expected at least one entry point, found none}}
  "flow.dispatch"() <{entry_points = [], operandSegmentSizes = array<i32: 0, 0, 0, 0>}> : () -> ()
  util.return
}

// -----

util.func public @dims(%t: tensor<?x?xf32>, %d: index) {
  // expected-error @below {{expected 2 sizes for the dynamic dimensions of 'tensor<?x?xf32>', found 1}}
  flow.dispatch @ex::@f(%t) : (tensor<?x?xf32>{%d}) -> ()
  util.return
}

// -----

util.func public @generic_dims(%t: tensor<?x?xf32>, %d: index) {
  // expected-error @below {{'flow.dispatch' op expected 2 sizes for the dynamic dimensions of the arguments, found 1}}
  "flow.dispatch"(%t, %d) <{entry_points = [@ex::@f], operandSegmentSizes = array<i32: 0, 1, 1, 0>}> : (tensor<?x?xf32>, index) -> ()
  util.return
}

// -----

util.func public @tied_to_nothing(%t: tensor<4xf32>, %u: tensor<4xf32>) {
  // expected-error @below {{expected a result to be tied to one of the op's arguments, found '%u'}}
  %0 = flow.dispatch @ex::@f(%t) : (tensor<4xf32>) -> %u
  util.return
}

// -----

util.func public @tied_index(%t: tensor<4xf32>) {
  // expected-error @below {{'flow.dispatch' op expected an entry of 'tied_operands' to be -1 or the index of one of 1 arguments, found 1 : index}}
  %0 = "flow.dispatch"(%t) <{entry_points = [@ex::@f], operandSegmentSizes = array<i32: 0, 1, 0, 0>, tied_operands = [1 : index]}> : (tensor<4xf32>) -> tensor<4xf32>
  util.return
}

// -----

util.func public @body_arguments(%t: tensor<4xf32>) {
  // expected-error @below {{'flow.dispatch.workgroups' op expected the body to have 2 arguments, one for each argument and each untied result, found 1}}
  %0 = flow.dispatch.workgroups(%t) : (tensor<4xf32>) -> tensor<4xf32> =
      (%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
    flow.return
  }
  util.return
}

// -----

util.func public @body_access(%t: tensor<4xf32>) {
  // expected-error @below {{expected argument 0 of the body to be the readwrite or writeonly tensor of the argument, 'tensor<4xf32>', found '!iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>'}}
  %0 = flow.dispatch.workgroups(%t) : (tensor<4xf32>) -> %t =
      (%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
    flow.return
  }
  util.return
}

// -----

util.func public @body_scalar(%i: index) {
  // expected-error @below {{expected argument 0 of the body to have the type of the argument, 'index', found 'i32'}}
  flow.dispatch.workgroups(%i) : (index) -> () =
      (%a: i32) {
    flow.return
  }
  util.return
}

// -----

util.func public @count_region(%i: index) {
  // expected-error @below {{'flow.dispatch.workgroups' op expected 0 workload operands, one for each argument of the workgroup count region, found 1}}
  flow.dispatch.workgroups[%i]() : () -> () =
      () {
    flow.return
  } count() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  util.return
}

// -----

util.func public @region_results(%t: tensor<4xf32>) {
  %0 = flow.dispatch.region -> (tensor<8xf32>) {
    // expected-error @below {{'flow.return' op expected operands of the region's result types, ('tensor<8xf32>'), found ('tensor<4xf32>')}}
    flow.return %t : tensor<4xf32>
  }
  util.return
}

// -----

util.func public @dimension() {
  // expected-error @below {{'flow.dispatch.workgroup.id' op expected dimension 0, 1 or 2, found 3}}
  %0 = flow.dispatch.workgroup.id[3] : index
  util.return
}

// -----

util.func public @reshape(%t: tensor<4x4xf32>) {
  // expected-error @below {{'flow.tensor.reshape' op expected source and result to have the same number of elements, found 16 and 8}}
  %0 = flow.tensor.reshape %t : tensor<4x4xf32> -> tensor<8xf32>
  util.return
}

// -----

util.func public @reshape_type(%t: tensor<4x4xf32>) {
  // expected-error @below {{'flow.tensor.reshape' op expected source and result to have the same element type, found 'f32' and 'i32'}}
  %0 = flow.tensor.reshape %t : tensor<4x4xf32> -> tensor<16xi32>
  util.return
}

// -----

util.func public @bitcast(%t: tensor<4x4xf32>) {
  // expected-error @below {{'flow.tensor.bitcast' op expected source and result to have the same number of bits, found 512 and 128}}
  %0 = flow.tensor.bitcast %t : tensor<4x4xf32> -> tensor<16xi8>
  util.return
}

// -----

util.func public @splat_dims(%v: f32, %d: index) {
  // expected-error @below {{'flow.tensor.splat' op expected 1 sizes for the dynamic dimensions of the result, found 2}}
  %0 = flow.tensor.splat %v : tensor<?xf32>{%d, %d}
  util.return
}

// -----

util.func public @slice_rank(%t: tensor<4x4xf32>, %d: index) {
  // expected-error @below {{'flow.tensor.slice' op expected 2 lengths, one for each dimension of 'tensor<4x4xf32>', found 1}}
  %0 = flow.tensor.slice %t[%d, %d for %d] : tensor<4x4xf32> -> tensor<2x2xf32>
  util.return
}

// -----

util.func public @update_rank(%t: tensor<4x4xf32>, %u: tensor<4xf32>, %d: index) {
  // expected-error @below {{'flow.tensor.update' op expected target and update to have the same rank, found 2 and 1}}
  %0 = flow.tensor.update %u, %t[%d, %d] : tensor<4xf32> -> %t as tensor<4x4xf32>
  util.return
}

// -----

util.func public @update_target(%t: tensor<4x4xf32>, %u: tensor<4x4xf32>, %d: index) {
  // expected-error @below {{expected the result to be tied to '%t', found '%u'}}
  %0 = flow.tensor.update %u, %t[%d, %d] : tensor<4x4xf32> -> %u as tensor<4x4xf32>
  util.return
}

// -----

util.func public @constant() {
  // expected-error @below {{'flow.tensor.constant' op expected a value of the result's type, 'tensor<8xf32>', found 'tensor<4xf32>'}}
  %0 = "flow.tensor.constant"() <{value = dense<1.0> : tensor<4xf32>}> : () -> tensor<8xf32>
  util.return
}

// -----

util.func public @no_callee() {
  // expected-error @below {{'flow.call' op expected a function as callee, 'nowhere' is none}}
  flow.call @nowhere() : () -> ()
  util.return
}

// -----

flow.func private @extern(%a: tensor<4xf32>) -> tensor<4xf32>
util.func public @call_operand(%t: tensor<8xf32>) {
  // expected-error @below {{'flow.call' op expected operand 0 to have the type that 'extern' declares, 'tensor<4xf32>', found 'tensor<8xf32>'}}
  %0 = flow.call @extern(%t) : (tensor<8xf32>) -> tensor<4xf32>
  util.return
}

// -----

flow.func private @extern()
util.func public @call_results() {
  // expected-error @below {{'flow.call' op expected 0 results, as 'extern' has, found 1}}
  %0 = flow.call @extern() : () -> tensor<4xf32>
  util.return
}

// -----

// expected-error @below {{expected a result to be tied to one of the function's arguments, found '%b'}}
flow.func private @tied(%a: tensor<4xf32>) -> %b

// -----

util.func public @parameter_dims(%key: !util.buffer, %offset: i64) {
  // expected-error @below {{'flow.parameter.load' op expected 1 sizes for the dynamic dimensions of the result, found 0}}
  %0 = flow.parameter.load %key[%offset] : tensor<?xf32>
  util.return
}

// -----

util.func public @parameter_dims(%t: tensor<4xf32>, %key: !util.buffer, %offset: i64, %d: index) {
  // expected-error @below {{'flow.parameter.write' op expected 0 sizes for the dynamic dimensions of the source, found 1}}
  %0 = flow.parameter.write %t -> %key[%offset] : tensor<4xf32>{%d}
  util.return
}

// -----

util.func public @update(%t: tensor<4xf32>, %u: tensor<4xi32>, %d: index) {
  // expected-error @below {{'flow.tensor.update' op expected target and update to have the same element type, found 'f32' and 'i32'}}
  %0 = flow.tensor.update %u, %t[%d] : tensor<4xi32> -> %t as tensor<4xf32>
  util.return
}

// -----

util.func public @region() {
  // expected-error @below {{'flow.dispatch.region' op expected a body without arguments, found 1}}
  "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%a: index):
    flow.return
  }, {}) : () -> ()
  util.return
}

// -----

util.func public @tied(%t: tensor<4xf32>, %u: tensor<4xf32>) {
  // expected-error @below {{expected a type for each argument}}
  %0 = flow.dispatch @ex::@entry(%t, %u) : (tensor<4xf32>) -> %u
  util.return
}
