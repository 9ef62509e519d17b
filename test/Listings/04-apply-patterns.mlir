// RUN: npu-opt --split-input-file --allow-unregistered-dialect --npu-util-apply-patterns %s | FileCheck %s --match-full-lines --strict-whitespace

// 4.1 1st and 3rd argument are always equal, the 4th is the same dominating value on both edges.
//      CHECK:module {
// CHECK-NEXT:  util.func public @join(%arg0: i1, %arg1: index, %arg2: index) -> index {
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:  // pred: ^bb0
// CHECK-NEXT:    %0 = "shop.left"(%arg1) : (index) -> index
// CHECK-NEXT:    cf.br ^bb3(%0, %arg1 : index, index)
// CHECK-NEXT:  ^bb2:  // pred: ^bb0
// CHECK-NEXT:    %1 = "shop.right"(%arg2) : (index) -> index
// CHECK-NEXT:    cf.br ^bb3(%1, %arg2 : index, index)
// CHECK-NEXT:  ^bb3(%2: index, %3: index):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:    %4 = "shop.op"(%2, %3, %2, %arg2) : (index, index, index, index) -> index
// CHECK-NEXT:    util.return %4 : index
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @join(%arg0: i1, %arg1: index, %arg2: index) -> index {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  %0 = "shop.left"(%arg1) : (index) -> index
  cf.br ^bb3(%0, %arg1, %0, %arg2 : index, index, index, index)
^bb2:  // pred: ^bb0
  %1 = "shop.right"(%arg2) : (index) -> index
  cf.br ^bb3(%1, %arg2, %1, %arg2 : index, index, index, index)
^bb3(%2: index, %3: index, %4: index, %5: index):  // 2 preds: ^bb1, ^bb2
  %6 = "shop.op"(%2, %3, %4, %5) : (index, index, index, index) -> index
  util.return %6 : index
}
