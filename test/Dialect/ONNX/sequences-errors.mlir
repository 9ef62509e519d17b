// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

// Sequences are lists that are known while importing.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @noSequence(%x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (SequenceLength of opset 24): expected input 0 to be a sequence that nodes before make}}
    %0 = onnx.node "SequenceLength"(%x) : (tensor<3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @place(%x: tensor<3xf32>, %p: tensor<i64>) -> !onnx.unknown {
    %s = onnx.node "SequenceConstruct"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @below {{node (SequenceAt of opset 24): expected input 1 to be a constant, as the place in a sequence is chosen while importing}}
    %0 = onnx.node "SequenceAt"(%s, %p) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @behind(%x: tensor<3xf32>) -> !onnx.unknown {
    %p = onnx.constant dense<5> : tensor<i64>
    %s = onnx.node "SequenceConstruct"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @below {{node (SequenceAt of opset 24): expected a place in a sequence of 2, found 5}}
    %0 = onnx.node "SequenceAt"(%s, %p) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @end(%x: tensor<3xf32>) -> !onnx.unknown {
    %p = onnx.constant dense<2> : tensor<i64>
    %s = onnx.node "SequenceConstruct"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @below {{node (SequenceErase of opset 24): expected a place in a sequence of 2, found 2}}
    %0 = onnx.node "SequenceErase"(%s, %p) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @insertedPlace(%x: tensor<3xf32>) -> !onnx.unknown {
    %p = onnx.constant dense<-3> : tensor<i64>
    %s = onnx.node "SequenceConstruct"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @below {{node (SequenceInsert of opset 24): expected a place in a sequence of 2, found -3}}
    %0 = onnx.node "SequenceInsert"(%s, %x, %p) : (!onnx.unknown, tensor<3xf32>, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @inserted(%x: tensor<3xf32>) -> !onnx.unknown {
    %s = onnx.node "SequenceConstruct"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @below {{node (SequenceInsert of opset 24): expected a tensor to insert, found none}}
    %0 = onnx.node "SequenceInsert"(%s) : (!onnx.unknown) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @nothing() -> !onnx.unknown {
    %s = onnx.node "SequenceEmpty"() : () -> !onnx.unknown
    // expected-error @below {{node (ConcatFromSequence of opset 24): expected a sequence of at least one tensor, found none}}
    %0 = onnx.node "ConcatFromSequence"(%s) {axis = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @ofSequence(%x: tensor<3xf32>) -> !onnx.unknown {
    %s = onnx.node "SequenceConstruct"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @below {{node (SplitToSequence of opset 24): expected a tensor, found '!onnx.unknown'}}
    %0 = onnx.node "SplitToSequence"(%s) : (!onnx.unknown) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @axis(%x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (SplitToSequence of opset 24): expected an axis from -1 to 0, found 1}}
    %0 = onnx.node "SplitToSequence"(%x) {axis = 1 : i64} : (tensor<3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @sizes(%x: tensor<3xf32>, %p: tensor<2xi64>) -> !onnx.unknown {
    // expected-error @below {{node (SplitToSequence of opset 24): expected constant sizes of parts}}
    %0 = onnx.node "SplitToSequence"(%x, %p) : (tensor<3xf32>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @size(%x: tensor<3xf32>) -> !onnx.unknown {
    %p = onnx.constant dense<0> : tensor<i64>
    // expected-error @below {{node (SplitToSequence of opset 24): expected parts of a positive size, at most 4096 of them, found 0 of 3}}
    %0 = onnx.node "SplitToSequence"(%x, %p) : (tensor<3xf32>, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @many(%x: tensor<5000xf32>) -> !onnx.unknown {
    // expected-error @below {{node (SplitToSequence of opset 24): expected parts of a positive size, at most 4096 of them, found 1 of 5000}}
    %0 = onnx.node "SplitToSequence"(%x) : (tensor<5000xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @sum(%x: tensor<3xf32>) -> !onnx.unknown {
    %p = onnx.constant dense<[2, 2]> : tensor<2xi64>
    // expected-error @below {{node (SplitToSequence of opset 24): expected parts that add up to 3, found more}}
    %0 = onnx.node "SplitToSequence"(%x, %p) : (tensor<3xf32>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @output(%x: tensor<3xf32>) -> !onnx.unknown {
    %s = onnx.node "SequenceConstruct"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @below {{node (SequenceMap of opset 24): the operator is not supported}}
    %0 = onnx.node "SequenceMap"(%s) : (!onnx.unknown) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
