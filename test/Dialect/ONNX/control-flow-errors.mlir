// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

// Branches, which give tensors of the same types.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @graphs(%c: tensor<i1>) -> !onnx.unknown {
    // expected-error @below {{node (If of opset 24): expected the subgraphs then_branch and else_branch}}
    %0 = onnx.node "If"(%c) : (tensor<i1>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @condition(%c: tensor<2xi1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (If of opset 24): expected one Boolean as condition, found 'tensor<2xi1>'}}
    %0 = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<2xi1>) -> !onnx.unknown {
      onnx.yield %x : tensor<3xf32>
    }, {
      onnx.yield %x : tensor<3xf32>
    }
    return %0 : !onnx.unknown
  }

  func.func @branches(%c: tensor<i1>, %x: tensor<3xf32>, %z: tensor<4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (If of opset 24): expected branches that give the same types, as the condition is not a constant, found 'tensor<4xf32>' and 'tensor<3xf32>'}}
    %0 = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<i1>) -> !onnx.unknown {
      onnx.yield %x : tensor<3xf32>
    }, {
      onnx.yield %z : tensor<4xf32>
    }
    return %0 : !onnx.unknown
  }

  func.func @sequences(%c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (If of opset 24): expected branches that give tensors, found '!onnx.unknown'}}
    %0 = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<i1>) -> !onnx.unknown {
      %s = onnx.node "SequenceConstruct"(%x) : (tensor<3xf32>) -> !onnx.unknown
      onnx.yield %s : !onnx.unknown
    }, {
      %s = onnx.node "SequenceConstruct"(%x) : (tensor<3xf32>) -> !onnx.unknown
      onnx.yield %s : !onnx.unknown
    }
    return %0 : !onnx.unknown
  }

  func.func @inputs(%c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (If of opset 24): expected subgraphs without inputs, found 1}}
    %0 = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<i1>) -> !onnx.unknown {
      onnx.yield %x : tensor<3xf32>
    }, {
    ^bb0(%y: !onnx.unknown):
      onnx.yield %y : !onnx.unknown
    }
    return %0 : !onnx.unknown
  }

  // What fails in a branch is told there.
  func.func @inside(%c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    %0 = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<i1>) -> !onnx.unknown {
      // expected-error @below {{node (NoSuchOp of opset 24): the operator is not supported}}
      %1 = onnx.node "NoSuchOp"(%x) : (tensor<3xf32>) -> !onnx.unknown
      onnx.yield %1 : !onnx.unknown
    }, {
      onnx.yield %x : tensor<3xf32>
    }
    return %0 : !onnx.unknown
  }
}

// -----

// Loops, whose iterations leave types as they are.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @graph(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Loop of opset 24): expected a subgraph body}}
    %0 = onnx.node "Loop"(%n, %c, %x) : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @arguments(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Loop of opset 24): expected a body that takes the iteration, the condition and a value for each input from 2 on, and gives the condition, these values and one for each other output of the node}}
    %0 = onnx.node "Loop"(%n, %c, %x) {body} : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> !onnx.unknown {
    ^bb0(%i: !onnx.unknown, %t: !onnx.unknown):
      onnx.yield %t, %x : !onnx.unknown, tensor<3xf32>
    }
    return %0 : !onnx.unknown
  }

  func.func @outputs(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Loop of opset 24): expected a body that takes the iteration, the condition and a value for each input from 2 on, and gives the condition, these values and one for each other output of the node}}
    %0 = onnx.node "Loop"(%n, %c, %x) {body} : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> !onnx.unknown {
    ^bb0(%i: !onnx.unknown, %t: !onnx.unknown, %v: !onnx.unknown):
      onnx.yield %t : !onnx.unknown
    }
    return %0 : !onnx.unknown
  }

  func.func @noInputs() -> !onnx.unknown {
    // expected-error @below {{node (Loop of opset 24): expected a body that takes the iteration, the condition and a value for each input from 2 on, and gives the condition, these values and one for each other output of the node}}
    %0 = onnx.node "Loop"() {body} : () -> !onnx.unknown {
    ^bb0(%i: !onnx.unknown, %t: !onnx.unknown):
      onnx.yield %t, %i : !onnx.unknown, !onnx.unknown
    }
    return %0 : !onnx.unknown
  }

  func.func @number(%n: tensor<2xi64>, %c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Loop of opset 24): expected an i64 as number of iterations and a Boolean as condition, found 'tensor<2xi64>'}}
    %0 = onnx.node "Loop"(%n, %c, %x) {body} : (tensor<2xi64>, tensor<i1>, tensor<3xf32>) -> !onnx.unknown {
    ^bb0(%i: !onnx.unknown, %t: !onnx.unknown, %v: !onnx.unknown):
      onnx.yield %t, %v : !onnx.unknown, !onnx.unknown
    }
    return %0 : !onnx.unknown
  }

  func.func @condition(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Loop of opset 24): expected one Boolean as condition, found 'tensor<i64>'}}
    %0 = onnx.node "Loop"(%n, %c, %x) {body} : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> !onnx.unknown {
    ^bb0(%i: !onnx.unknown, %t: !onnx.unknown, %v: !onnx.unknown):
      onnx.yield %i, %v : !onnx.unknown, !onnx.unknown
    }
    return %0 : !onnx.unknown
  }

  func.func @sequence(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Loop of opset 24): expected a body that gives tensors, found '!onnx.unknown'}}
    %0 = onnx.node "Loop"(%n, %c, %x) {body} : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> !onnx.unknown {
    ^bb0(%i: !onnx.unknown, %t: !onnx.unknown, %v: !onnx.unknown):
      %s = onnx.node "SequenceConstruct"(%v) : (!onnx.unknown) -> !onnx.unknown
      onnx.yield %t, %s : !onnx.unknown, !onnx.unknown
    }
    return %0 : !onnx.unknown
  }

  func.func @types(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Loop of opset 24): expected iterations to leave types as they are, found 'tensor<3xf32>' and then 'tensor<6xf32>'}}
    %0 = onnx.node "Loop"(%n, %c, %x) {body} : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> !onnx.unknown {
    ^bb0(%i: !onnx.unknown, %t: !onnx.unknown, %v: !onnx.unknown):
      %d = onnx.node "Concat"(%v, %v) {axis = 0 : i64} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
      onnx.yield %t, %d : !onnx.unknown, !onnx.unknown
    }
    return %0 : !onnx.unknown
  }

  func.func @iterations(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Loop of opset 24): expected a constant number of iterations, as shapes depend on it}}
    %0:2 = onnx.node "Loop"(%n, %c, %x) {body} : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> (!onnx.unknown, !onnx.unknown) {
    ^bb0(%i: !onnx.unknown, %t: !onnx.unknown, %v: !onnx.unknown):
      onnx.yield %t, %v, %v : !onnx.unknown, !onnx.unknown, !onnx.unknown
    }
    return %0#0 : !onnx.unknown
  }
}

// -----

// Nodes have a region for each attribute that is a subgraph, and these end with onnx.yield.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @regions(%c: tensor<i1>) -> !onnx.unknown {
    // expected-error @below {{'onnx.node' op expected a region for each of the 2 attributes that are subgraphs, found 0}}
    %0 = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<i1>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @terminator(%c: tensor<i1>, %x: tensor<3xf32>) -> !onnx.unknown {
    // expected-error @below {{'onnx.node' op expected subgraphs to end with onnx.yield}}
    %0 = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<i1>) -> !onnx.unknown {
      onnx.yield %x : tensor<3xf32>
    }, {
      func.return %x : tensor<3xf32>
    }
    return %0 : !onnx.unknown
  }
}
