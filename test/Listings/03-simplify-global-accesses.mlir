// RUN: npu-opt --split-input-file --pass-pipeline='builtin.module(util.func(npu-util-simplify-global-accesses))' %s | FileCheck %s --match-full-lines --strict-whitespace

// 3.1 Load after store.
//      CHECK:module {
// CHECK-NEXT:  util.global private mutable @level : tensor<3xi32>
// CHECK-NEXT:  util.func public @put_get(%arg0: tensor<3xi32>) -> tensor<3xi32> {
// CHECK-NEXT:    util.global.store %arg0, @level : tensor<3xi32>
// CHECK-NEXT:    util.return %arg0 : tensor<3xi32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private mutable @level : tensor<3xi32>
util.func public @put_get(%arg0: tensor<3xi32>) -> tensor<3xi32> {
  util.global.store %arg0, @level : tensor<3xi32>
  %level = util.global.load @level : tensor<3xi32>
  util.return %level : tensor<3xi32>
}

// -----

// 3.2 Store after store, and a store to another global between them.
//      CHECK:module {
// CHECK-NEXT:  util.global private mutable @level : i32
// CHECK-NEXT:  util.global private mutable @limit : i32
// CHECK-NEXT:  util.func public @twice(%arg0: i32, %arg1: i32) {
// CHECK-NEXT:    util.global.store %arg1, @level : i32
// CHECK-NEXT:    util.global.store %arg0, @limit : i32
// CHECK-NEXT:    util.return
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private mutable @level : i32
util.global private mutable @limit : i32
util.func public @twice(%arg0: i32, %arg1: i32) {
  util.global.store %arg0, @level : i32
  util.global.store %arg0, @limit : i32
  util.global.store %arg1, @level : i32
  util.return
}

// -----

// 3.3 Load after load; the load moves up, the store moves down.
//      CHECK:module {
// CHECK-NEXT:  util.global private mutable @level : i32
// CHECK-NEXT:  util.func public @sum(%arg0: i32) -> i32 {
// CHECK-NEXT:    %level = util.global.load @level : i32
// CHECK-NEXT:    %0 = arith.muli %arg0, %arg0 : i32
// CHECK-NEXT:    %1 = arith.addi %0, %level : i32
// CHECK-NEXT:    %2 = arith.addi %1, %level : i32
// CHECK-NEXT:    %3 = arith.subi %2, %arg0 : i32
// CHECK-NEXT:    util.global.store %2, @level : i32
// CHECK-NEXT:    util.return %3 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private mutable @level : i32
util.func public @sum(%arg0: i32) -> i32 {
  %0 = arith.muli %arg0, %arg0 : i32
  %level = util.global.load @level : i32
  %1 = arith.addi %0, %level : i32
  %level_0 = util.global.load @level : i32
  %2 = arith.addi %1, %level_0 : i32
  util.global.store %2, @level : i32
  %3 = arith.subi %2, %arg0 : i32
  util.return %3 : i32
}

// -----

// 3.4 Immutable loads are hoisted across blocks and merged.
//      CHECK:module {
// CHECK-NEXT:  util.global private @gain = 9 : i32
// CHECK-NEXT:  util.func public @pick(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:    %gain = util.global.load @gain : i32
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:  // pred: ^bb0
// CHECK-NEXT:    %0 = arith.addi %gain, %arg1 : i32
// CHECK-NEXT:    util.return %0 : i32
// CHECK-NEXT:  ^bb2:  // pred: ^bb0
// CHECK-NEXT:    util.return %gain : i32
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private @gain = 9 : i32
util.func public @pick(%arg0: i1, %arg1: i32) -> i32 {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  %gain = util.global.load @gain : i32
  %0 = arith.addi %gain, %arg1 : i32
  util.return %0 : i32
^bb2:  // pred: ^bb0
  %gain_0 = util.global.load @gain : i32
  util.return %gain_0 : i32
}

// -----

// 3.5 A call separates the sequences: nothing is forwarded over it.
//      CHECK:module {
// CHECK-NEXT:  util.global private mutable @level : i32
// CHECK-NEXT:  util.func private @tick()
// CHECK-NEXT:  util.func public @around(%arg0: i32) -> i32 {
// CHECK-NEXT:    util.global.store %arg0, @level : i32
// CHECK-NEXT:    util.call @tick() : () -> ()
// CHECK-NEXT:    %level = util.global.load @level : i32
// CHECK-NEXT:    util.return %level : i32
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private mutable @level : i32
util.func private @tick()
util.func public @around(%arg0: i32) -> i32 {
  util.global.store %arg0, @level : i32
  util.call @tick() : () -> ()
  %level = util.global.load @level : i32
  util.return %level : i32
}
