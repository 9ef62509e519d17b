// RUN: npu-opt --pass-pipeline='builtin.module(any(npu-util-simplify-global-accesses))' %s --split-input-file | FileCheck %s

// A load after a store is what was stored.
// CHECK:       util.global private mutable @level : tensor<3xi32>
// CHECK-LABEL: util.func public @put_get(%arg0: tensor<3xi32>) -> tensor<3xi32> {
// CHECK-NEXT:    util.global.store %arg0, @level : tensor<3xi32>
// CHECK-NEXT:    util.return %arg0 : tensor<3xi32>
// CHECK-NEXT:  }
util.global private mutable @level : tensor<3xi32>
util.func public @put_get(%arg0: tensor<3xi32>) -> tensor<3xi32> {
  util.global.store %arg0, @level : tensor<3xi32>
  %level = util.global.load @level : tensor<3xi32>
  util.return %level : tensor<3xi32>
}

// -----

// Of two stores the last one stays, at the end, in the order of the symbols.
// CHECK:       util.global private mutable @level : i32
// CHECK-NEXT:  util.global private mutable @limit : i32
// CHECK-LABEL: util.func public @twice(%arg0: i32, %arg1: i32) {
// CHECK-NEXT:    util.global.store %arg1, @level : i32
// CHECK-NEXT:    util.global.store %arg0, @limit : i32
// CHECK-NEXT:    util.return
// CHECK-NEXT:  }
util.global private mutable @level : i32
util.global private mutable @limit : i32
util.func public @twice(%arg0: i32, %arg1: i32) {
  util.global.store %arg0, @level : i32
  util.global.store %arg0, @limit : i32
  util.global.store %arg1, @level : i32
  util.return
}

// -----

// Of two loads the first one stays and moves up; the store moves down.
// CHECK:       util.global private mutable @level : i32
// CHECK-LABEL: util.func public @sum(%arg0: i32) -> i32 {
// CHECK-NEXT:    %[[V0:.*]] = util.global.load @level : i32
// CHECK-NEXT:    %[[V1:.*]] = arith.muli %arg0, %arg0 : i32
// CHECK-NEXT:    %[[V2:.*]] = arith.addi %[[V1]], %[[V0]] : i32
// CHECK-NEXT:    %[[V3:.*]] = arith.addi %[[V2]], %[[V0]] : i32
// CHECK-NEXT:    %[[V4:.*]] = arith.subi %[[V3]], %arg0 : i32
// CHECK-NEXT:    util.global.store %[[V3]], @level : i32
// CHECK-NEXT:    util.return %[[V4]] : i32
// CHECK-NEXT:  }
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

// Loads of immutable globals are merged across blocks.
// CHECK:       util.global private @gain = 9 : i32
// CHECK-LABEL: util.func public @pick(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:    %[[V5:.*]] = util.global.load @gain : i32
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %[[V6:.*]] = arith.addi %[[V5]], %arg1 : i32
// CHECK-NEXT:    util.return %[[V6]] : i32
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    util.return %[[V5]] : i32
// CHECK-NEXT:  }
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

// Nothing is forwarded over a call.
// CHECK:       util.global private mutable @level : i32
// CHECK-LABEL: util.func private @tick()
// CHECK-LABEL: util.func public @around(%arg0: i32) -> i32 {
// CHECK-NEXT:    util.global.store %arg0, @level : i32
// CHECK-NEXT:    util.call @tick() : () -> ()
// CHECK-NEXT:    %[[V7:.*]] = util.global.load @level : i32
// CHECK-NEXT:    util.return %[[V7]] : i32
// CHECK-NEXT:  }
util.global private mutable @level : i32
util.func private @tick()
util.func public @around(%arg0: i32) -> i32 {
  util.global.store %arg0, @level : i32
  util.call @tick() : () -> ()
  %level = util.global.load @level : i32
  util.return %level : i32
}

// -----

// An op with code that stores is like a call; its blocks are simplified by themselves.
// CHECK-LABEL: util.func public @nested
// CHECK-NEXT:    util.global.store %arg1, @level
// CHECK-NEXT:    scf.if %arg0 {
// CHECK-NEXT:      util.global.store %arg2, @level
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[L:.*]] = util.global.load @level
// CHECK-NEXT:    util.return %[[L]]
util.global private mutable @level : i32
util.func public @nested(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
  util.global.store %arg1, @level : i32
  scf.if %arg0 {
    util.global.store %arg1, @level : i32
    util.global.store %arg2, @level : i32
  }
  %0 = util.global.load @level : i32
  util.return %0 : i32
}

// -----

// A load in a loop sees what the loop stored.
// CHECK-LABEL: util.func public @loop
// CHECK-NEXT:    util.global.store %arg1, @level
// CHECK-NEXT:    cf.br ^bb1
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %[[L:.*]] = util.global.load @level
// CHECK-NEXT:    %[[N:.*]] = arith.addi %[[L]], %arg1
// CHECK-NEXT:    util.global.store %[[N]], @level
util.global private mutable @level : i32
util.func public @loop(%arg0: i1, %arg1: i32) {
  util.global.store %arg1, @level : i32
  cf.br ^bb1
^bb1:
  %0 = util.global.load @level : i32
  %1 = arith.addi %0, %arg1 : i32
  util.global.store %1, @level : i32
  cf.cond_br %arg0, ^bb1, ^bb2
^bb2:
  util.return
}

// -----

// An address may be that of any global: only immutable ones are simplified.
// CHECK-LABEL: util.func public @indirect
// CHECK-NEXT:    %[[G:.*]] = util.global.load @gain
// CHECK-NEXT:    util.global.store %arg0, @level
// CHECK-NEXT:    util.global.store.indirect
// CHECK-NEXT:    %[[L:.*]] = util.global.load @level
// CHECK-NEXT:    util.return %[[L]], %[[G]], %[[G]]
util.global private @gain = 9 : i32
util.global private mutable @level : i32
util.func public @indirect(%arg0: i32, %arg1: !util.ptr<i32>) -> (i32, i32, i32) {
  util.global.store %arg0, @level : i32
  util.global.store.indirect %arg0, %arg1 : i32 -> !util.ptr<i32>
  %0 = util.global.load @level : i32
  %1 = util.global.load @gain : i32
  %2 = util.global.load @gain : i32
  util.return %0, %1, %2 : i32, i32, i32
}

// -----

// Where it is set, an immutable global is like a mutable one.
// CHECK:         util.initializer {
// CHECK-NEXT:      %[[C:.*]] = arith.constant 4 : i32
// CHECK-NEXT:      %[[R:.*]] = arith.addi %[[C]], %[[C]]
// CHECK-NEXT:      util.global.store %[[R]], @eight
// CHECK-NEXT:      util.global.store %[[C]], @four
util.global private @four : i32
util.global private @eight : i32
util.initializer {
  %0 = arith.constant 4 : i32
  util.global.store %0, @four : i32
  %1 = util.global.load @four : i32
  %2 = arith.addi %1, %1 : i32
  util.global.store %2, @eight : i32
  util.return
}
