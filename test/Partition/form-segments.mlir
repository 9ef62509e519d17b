// RUN: npu-opt %s --npu-form-segments | FileCheck %s
// RUN: npu-opt %s --npu-form-segments | npu-opt --npu-form-segments | FileCheck %s

flow.executable private @e {
  flow.executable.export public @add
  flow.executable.export public @row
  flow.executable.export public @host
  flow.executable.export public @both
  flow.executable.export public @any
  builtin.module {
    func.func @add(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = tensor.empty() : tensor<4x4xf32>
      %1 = linalg.add ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %1 : tensor<4x4xf32>
    }
    func.func @row(%x: tensor<16xf32>) -> tensor<16xf32> {
      %0 = tensor.empty() : tensor<16xf32>
      %1 = linalg.add ins(%x, %x : tensor<16xf32>, tensor<16xf32>) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
      return %1 : tensor<16xf32>
    }
    func.func @host(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {npu.placement = #npu.placement<host>} {
      return %x : tensor<4x4xf32>
    }
    func.func @both(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %0 = tensor.empty() : tensor<4x4xf32>
      %1 = linalg.add ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
      %2 = linalg.mul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
    }
    func.func @any(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
      return %x : tensor<?x4xf32>
    }
  }
}

// What only members need is not given back; reshapes between them are members.
// CHECK-LABEL: util.func public @chain
// CHECK: %[[R:.*]] = npu.segment -> tensor<16xf32> {
// CHECK-NEXT: %[[A:.*]] = flow.dispatch @e::@add
// CHECK-NEXT: %[[V:.*]] = flow.tensor.reshape %[[A]]
// CHECK-NEXT: %[[B:.*]] = flow.dispatch @e::@row(%[[V]])
// CHECK-NEXT: npu.yield %[[B]] : tensor<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: util.return %[[R]]
util.func public @chain(%x: tensor<4x4xf32>) -> tensor<16xf32> {
  %0 = flow.dispatch @e::@add(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = flow.tensor.reshape %0 : tensor<4x4xf32> -> tensor<16xf32>
  %2 = flow.dispatch @e::@row(%1) : (tensor<16xf32>) -> tensor<16xf32>
  util.return %2 : tensor<16xf32>
}

// A dispatch on the host that needs a member ends the segment; what is between comes before it if it does not.
// CHECK-LABEL: util.func public @host
// CHECK: flow.dispatch @e::@host(%{{.*}})
// CHECK: %[[S:.*]]:2 = npu.segment -> tensor<4x4xf32>, tensor<4x4xf32> {
// CHECK-COUNT-2: flow.dispatch @e::@add
// CHECK: }
// CHECK-NEXT: %[[H:.*]] = flow.dispatch @e::@host(%[[S]]#1)
// CHECK-NEXT: %[[L:.*]] = flow.dispatch @e::@add(%[[H]], %[[S]]#0)
// CHECK-NEXT: util.return %[[L]]
util.func public @host(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = flow.dispatch @e::@add(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = flow.dispatch @e::@host(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = flow.dispatch @e::@add(%0, %1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = flow.dispatch @e::@host(%2) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = flow.dispatch @e::@add(%3, %0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  util.return %4 : tensor<4x4xf32>
}

// A reshape that only others need comes after the segment, and one result of several may stay inside.
// CHECK-LABEL: util.func public @behind
// CHECK: %[[S:.*]]:2 = npu.segment -> tensor<4x4xf32>, tensor<4x4xf32> {
// CHECK: %[[B:.*]]:2 = flow.dispatch @e::@both
// CHECK: %[[A:.*]] = flow.dispatch @e::@add(%[[B]]#0, %[[B]]#1)
// CHECK: npu.yield %[[B]]#1, %[[A]]
// CHECK: }
// CHECK-NEXT: %[[V:.*]] = flow.tensor.reshape %[[S]]#1
// CHECK-NEXT: util.return %[[V]], %[[S]]#0
util.func public @behind(%x: tensor<4x4xf32>) -> (tensor<16xf32>, tensor<4x4xf32>) {
  %0:2 = flow.dispatch @e::@both(%x) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %1 = flow.dispatch @e::@add(%0#0, %0#1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = flow.tensor.reshape %1 : tensor<4x4xf32> -> tensor<16xf32>
  util.return %2, %0#1 : tensor<16xf32>, tensor<4x4xf32>
}

// Alone, with dynamic shapes, changed in place, or of another signature than the function: outside.
// CHECK-LABEL: util.func public @outside
// CHECK-NOT: npu.segment
util.func public @outside(%x: tensor<4x4xf32>, %y: tensor<?x4xf32>, %n: index) -> (tensor<4x4xf32>, tensor<?x4xf32>, tensor<2x4xf32>) {
  %0 = flow.dispatch @e::@any(%y) : (tensor<?x4xf32>{%n}) -> tensor<?x4xf32>{%n}
  %1 = flow.dispatch @e::@any(%0) : (tensor<?x4xf32>{%n}) -> tensor<?x4xf32>{%n}
  %2 = flow.dispatch @e::@add(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> %x
  %3 = flow.dispatch @e::@add(%2, %2) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = flow.dispatch @e::@row(%3) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  util.return %3, %1, %4 : tensor<4x4xf32>, tensor<?x4xf32>, tensor<2x4xf32>
}

// Bodies of loops have their own, and what has such a body ends one.
// CHECK-LABEL: util.func public @loop
// CHECK: npu.segment
// CHECK: scf.for
// CHECK: npu.segment
// CHECK: npu.segment
util.func public @loop(%x: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = flow.dispatch @e::@add(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = flow.dispatch @e::@add(%0, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %1) -> tensor<4x4xf32> {
    %3 = flow.dispatch @e::@add(%v, %v) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = flow.dispatch @e::@add(%3, %v) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %4 : tensor<4x4xf32>
  }
  %5 = flow.dispatch @e::@add(%2, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = flow.dispatch @e::@add(%5, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  util.return %6 : tensor<4x4xf32>
}

// What nobody needs stays as it is.
// CHECK-LABEL: util.func public @dead
// CHECK-NOT: npu.segment
util.func public @dead(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = flow.dispatch @e::@add(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = flow.dispatch @e::@add(%0, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  util.return %x : tensor<4x4xf32>
}

// Segments that are there stay divided as they are.
// CHECK-LABEL: util.func public @given
// CHECK: npu.segment
// CHECK-NEXT: flow.dispatch
// CHECK-NEXT: flow.dispatch
// CHECK-NEXT: npu.yield
// CHECK: npu.segment
// CHECK-NEXT: flow.dispatch
// CHECK-NEXT: npu.yield
util.func public @given(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = npu.segment -> tensor<4x4xf32> {
    %1 = flow.dispatch @e::@add(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = flow.dispatch @e::@add(%1, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    npu.yield %2 : tensor<4x4xf32>
  }
  %3 = npu.segment -> tensor<4x4xf32> {
    %4 = flow.dispatch @e::@add(%0, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    npu.yield %4 : tensor<4x4xf32>
  }
  util.return %3 : tensor<4x4xf32>
}

// One with a dispatch for the host is formed anew.
// CHECK-LABEL: util.func public @given_for_host
// CHECK-NEXT: %[[H:.*]] = flow.dispatch @e::@host(%arg0)
// CHECK-NEXT: %[[S:.*]] = npu.segment
// CHECK-NEXT: flow.dispatch @e::@add(%[[H]], %arg0)
// CHECK-NEXT: flow.dispatch @e::@add
// CHECK-NEXT: npu.yield
// CHECK-NEXT: }
// CHECK-NEXT: util.return %[[S]]
util.func public @given_for_host(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = npu.segment -> tensor<4x4xf32> {
    %1 = flow.dispatch @e::@host(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = flow.dispatch @e::@add(%1, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = flow.dispatch @e::@add(%2, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    npu.yield %3 : tensor<4x4xf32>
  }
  util.return %0 : tensor<4x4xf32>
}

// One without a dispatch, or without a result, has no program.
// CHECK-LABEL: util.func public @given_empty
// CHECK-NOT: npu.segment
// CHECK: util.return
util.func public @given_empty(%x: tensor<4x4xf32>) -> tensor<16xf32> {
  npu.segment {
    %1 = flow.dispatch @e::@add(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    npu.yield
  }
  %0 = npu.segment -> tensor<16xf32> {
    %2 = flow.tensor.reshape %x : tensor<4x4xf32> -> tensor<16xf32>
    npu.yield %2 : tensor<16xf32>
  }
  util.return %0 : tensor<16xf32>
}
