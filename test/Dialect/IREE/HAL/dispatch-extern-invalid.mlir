// RUN: npu-opt %s -split-input-file -verify-diagnostics

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{custom op 'hal.dispatch.extern' expected 1 sizes for the dynamic dimensions of 'tensor<?xf32>', found 2}}
  %0 = hal.dispatch.extern "e"(%a) : (tensor<?xf32>{%d, %d}) -> tensor<4xf32> layout(<bindings = []>) objects({})
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{expected 1 sizes for the dynamic dimensions of the arguments, found 0}}
  %0 = "hal.dispatch.extern"(%a, %d) <{export_name = "e", layout = #hal.pipeline.layout<bindings = []>, operandSegmentSizes = array<i32: 0, 1, 0, 1>, target_objects = [], target_ordinals = [], targets = []}> ({}) : (tensor<?xf32>, index) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{expected 1 sizes for the dynamic dimensions of the results, found 0}}
  %0 = "hal.dispatch.extern"(%a, %d) <{export_name = "e", layout = #hal.pipeline.layout<bindings = []>, operandSegmentSizes = array<i32: 0, 1, 1, 0>, target_objects = [], target_ordinals = [], targets = []}> ({}) : (tensor<?xf32>, index) -> tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{expected an entry of 'tied_operands' to be -1 or the index of one of 1 arguments, found 1 : index}}
  %0 = "hal.dispatch.extern"(%a, %d) <{export_name = "e", layout = #hal.pipeline.layout<bindings = []>, operandSegmentSizes = array<i32: 0, 1, 1, 0>, target_objects = [], target_ordinals = [], targets = [], tied_operands = [1 : index]}> ({}) : (tensor<?xf32>, index) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{expected 1 ordinals, one for each target, found 0}}
  %0 = "hal.dispatch.extern"(%a, %d) <{export_name = "e", layout = #hal.pipeline.layout<bindings = []>, operandSegmentSizes = array<i32: 0, 1, 1, 0>, target_objects = [], target_ordinals = [], targets = [#hal.executable.target<"npu", "a">]}> ({}) : (tensor<?xf32>, index) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{expected 1 lists of files, one for each target, found 0}}
  %0 = "hal.dispatch.extern"(%a, %d) <{export_name = "e", layout = #hal.pipeline.layout<bindings = []>, operandSegmentSizes = array<i32: 0, 1, 1, 0>, target_objects = [], target_ordinals = [0 : index], targets = [#hal.executable.target<"npu", "a">]}> ({}) : (tensor<?xf32>, index) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{expected 1 conditions, one for each target, found 0}}
  %0 = "hal.dispatch.extern"(%a, %d) <{export_name = "e", layout = #hal.pipeline.layout<bindings = []>, operandSegmentSizes = array<i32: 0, 1, 1, 0>, target_objects = [[]], target_ordinals = [0 : index], targets = [#hal.executable.target<"npu", "a">]}> ({}) : (tensor<?xf32>, index) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{expected the arguments of the workgroup count region to be a !hal.device and index values, found ('index')}}
  %0 = hal.dispatch.extern "e"(%a) : (tensor<?xf32>{%d}) -> tensor<4xf32> count(%n: index) -> (index, index, index) {
    hal.return %n, %n, %n : index, index, index
  } layout(<bindings = []>) objects({})
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{expected 1 workload operands, one for each index argument of the workgroup count region, found 0}}
  %0 = hal.dispatch.extern "e"(%a) : (tensor<?xf32>{%d}) -> tensor<4xf32> count(%device: !hal.device, %n: index) -> (index, index, index) {
    hal.return %n, %n, %n : index, index, index
  } layout(<bindings = []>) objects({})
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  %0 = hal.dispatch.extern "e"(%a) : (tensor<4xf32>) -> tensor<4xf32> count(%device: !hal.device) -> (index, index, index) {
    // expected-error @below {{'hal.return' op expected operands of the types 'index', 'index', 'index', which the workgroup count region returns, found ()}}
    hal.return
  } layout(<bindings = []>) objects({})
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{expected the argument of a condition to be a !hal.device, found ()}}
  %0 = hal.dispatch.extern "e"(%a) : (tensor<?xf32>{%d}) -> tensor<4xf32> layout(<bindings = []>) objects({
    #hal.executable.target<"npu", "a"> if() -> i1 {
      %true = arith.constant true
      hal.return %true : i1
    } ordinal(0) = []
  })
  return
}

// -----

func.func @f(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{expected the condition to end in 'hal.return'}}
  %0 = hal.dispatch.extern "e"(%a) : (tensor<?xf32>{%d}) -> tensor<4xf32> layout(<bindings = []>) objects({
    #hal.executable.target<"npu", "a"> if(%device: !hal.device) -> i1 {
      llvm.unreachable
    } ordinal(0) = []
  })
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  %0 = hal.dispatch.extern "e"(%a) : (tensor<4xf32>) -> tensor<4xf32> layout(<bindings = []>) objects({
    // expected-error @below {{expected the condition to be an i1, found 'i32'}}
    #hal.executable.target<"npu", "a"> if(%device: !hal.device) -> i32 {
    } ordinal(0) = []
  })
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  %0 = hal.dispatch.extern "e"(%a) : (tensor<4xf32>) -> tensor<4xf32> layout(<bindings = []>) objects({
    // expected-error @below {{expected 'ordinal'}}
    #hal.executable.target<"npu", "a"> = []
  })
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{expected the name of an entry point, found an empty one}}
  %0 = hal.dispatch.extern ""(%a) : (tensor<4xf32>) -> tensor<4xf32> layout(<bindings = []>) objects({})
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{expected a format for each target, found none in #hal.executable.target<"npu", "">}}
  %0 = hal.dispatch.extern "e"(%a) : (tensor<4xf32>) -> tensor<4xf32> layout(<bindings = []>) objects({
    #hal.executable.target<"npu", ""> ordinal(0) = []
  })
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{expected the number of an entry point, found -1}}
  %0 = hal.dispatch.extern "e"(%a) : (tensor<4xf32>) -> tensor<4xf32> layout(<bindings = []>) objects({
    #hal.executable.target<"npu", "a"> ordinal(-1) = []
  })
  return
}
