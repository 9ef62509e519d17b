// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

// Recurrent nets: their weights, directions and activations.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @rank(%x: tensor<3x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (RNN of opset 24): expected input 0 to have 3 dimensions, found 'tensor<3x2xf32>'}}
    %0 = onnx.node "RNN"(%x, %w, %r) : (tensor<3x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @integers(%x: tensor<3x1x2xi32>, %w: tensor<1x4x2xi32>, %r: tensor<1x4x4xi32>) -> !onnx.unknown {
    // expected-error @below {{node (RNN of opset 24): expected floats, found 'i32'}}
    %0 = onnx.node "RNN"(%x, %w, %r) : (tensor<3x1x2xi32>, tensor<1x4x2xi32>, tensor<1x4x4xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @direction(%x: tensor<3x1x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (RNN of opset 24): expected a direction of forward, reverse or bidirectional, found backward}}
    %0 = onnx.node "RNN"(%x, %w, %r) {direction = "backward"} : (tensor<3x1x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @weights(%x: tensor<3x1x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (GRU of opset 24): expected weights of shapes [1, 12, 2] and [1, 12, 4], found 'tensor<1x4x2xf32>' and 'tensor<1x4x4xf32>'}}
    %0 = onnx.node "GRU"(%x, %w, %r) : (tensor<3x1x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @state(%x: tensor<3x1x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>, %h: tensor<1x2x4xf32>) -> !onnx.unknown {
    %none = onnx.none : none
    // expected-error @below {{node (RNN of opset 24): expected input 5 of shape [1, 1, 4], found 'tensor<1x2x4xf32>'}}
    %0 = onnx.node "RNN"(%x, %w, %r, %none, %none, %h) : (tensor<3x1x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>, none, none, tensor<1x2x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @numActivations(%x: tensor<3x1x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (RNN of opset 24): expected 1 activations, found 2}}
    %0 = onnx.node "RNN"(%x, %w, %r) {activations = ["Tanh", "Tanh"]} : (tensor<3x1x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @activation(%x: tensor<3x1x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (RNN of opset 24): expected activations of ONNX, found mish}}
    %0 = onnx.node "RNN"(%x, %w, %r) {activations = ["Mish"]} : (tensor<3x1x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Scans, which go along dimensions of one size.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @body(%a: tensor<2xf32>, %x: tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (Scan of opset 24): expected a body that takes what the node takes, and gives what it gives, and inputs to scan}}
    %0:2 = onnx.node "Scan"(%a, %x) {num_scan_inputs = 1 : i64} : (tensor<2xf32>, tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown)
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }

  func.func @inputs(%a: tensor<2xf32>, %x: tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (Scan of opset 24): expected a body that takes what the node takes, and gives what it gives, and inputs to scan}}
    %0:2 = onnx.node "Scan"(%a, %x) {body, num_scan_inputs = 3 : i64} : (tensor<2xf32>, tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    ^bb0(%s: !onnx.unknown, %e: !onnx.unknown):
      %t = onnx.node "Add"(%s, %e) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
      onnx.yield %t, %t : !onnx.unknown, !onnx.unknown
    }
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }

  func.func @axes(%a: tensor<2xf32>, %x: tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (Scan of opset 24): expected 1 numbers in scan_input_axes, found 2}}
    %0:2 = onnx.node "Scan"(%a, %x) {body, num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 0, 0>} : (tensor<2xf32>, tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    ^bb0(%s: !onnx.unknown, %e: !onnx.unknown):
      %t = onnx.node "Add"(%s, %e) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
      onnx.yield %t, %t : !onnx.unknown, !onnx.unknown
    }
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }

  func.func @lengths(%a: tensor<3x2xf32>, %x: tensor<4x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (Scan of opset 24): expected inputs of as many elements along the axes that are scanned, found 3 and 4}}
    %0:2 = onnx.node "Scan"(%a, %x) {body, num_scan_inputs = 2 : i64} : (tensor<3x2xf32>, tensor<4x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    ^bb0(%s: !onnx.unknown, %e: !onnx.unknown):
      %t = onnx.node "Add"(%s, %e) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
      onnx.yield %t, %t : !onnx.unknown, !onnx.unknown
    }
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }

  func.func @outputs(%a: tensor<2xf32>, %x: tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (Einsum of opset 29): expected term 'zab...' to have a letter for each of the 2 dimensions of input 0, found 3}}
    %0:2 = onnx.node "Scan"(%a, %x) {body, num_scan_inputs = 1 : i64, scan_output_axes = array<i64: 2>} : (tensor<2xf32>, tensor<3x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    ^bb0(%s: !onnx.unknown, %e: !onnx.unknown):
      %t = onnx.node "Add"(%s, %e) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
      onnx.yield %t, %t : !onnx.unknown, !onnx.unknown
    }
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }
}

// -----

// There is at least one step.
module attributes {onnx.opset = {ai.onnx = 24 : i64, com.microsoft = 1 : i64}} {
  func.func @steps(%x: tensor<0x1x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (RNN of opset 24): expected at least one step and one hidden element, found 0 and 4}}
    %0 = onnx.node "RNN"(%x, %w, %r) : (tensor<0x1x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
