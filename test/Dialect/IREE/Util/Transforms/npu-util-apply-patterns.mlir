// RUN: npu-opt --allow-unregistered-dialect --npu-util-apply-patterns %s --split-input-file | FileCheck %s

// The first and the third argument are equal, the fourth is one value on both edges.
// CHECK-LABEL: util.func public @join(%arg0: i1, %arg1: index, %arg2: index) -> index {
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %[[V0:.*]] = "shop.left"(%arg1) : (index) -> index
// CHECK-NEXT:    cf.br ^bb3(%[[V0]], %arg1 : index, index)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %[[V1:.*]] = "shop.right"(%arg2) : (index) -> index
// CHECK-NEXT:    cf.br ^bb3(%[[V1]], %arg2 : index, index)
// CHECK-NEXT:  ^bb3(%[[V2:.*]]: index, %[[V3:.*]]: index):
// CHECK-NEXT:    %[[V4:.*]] = "shop.op"(%[[V2]], %[[V3]], %[[V2]], %arg2) : (index, index, index, index) -> index
// CHECK-NEXT:    util.return %[[V4]] : index
// CHECK-NEXT:  }
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

// -----

// A value that a loop passes on unchanged is that value. The other argument changes.
// CHECK-LABEL: util.func public @loop
// CHECK:         cf.br ^bb1(%arg0 : index)
// CHECK-NEXT:  ^bb1(%[[I:.*]]: index):
// CHECK-NEXT:    %[[N:.*]] = "shop.op"(%[[I]], %arg1)
// CHECK-NEXT:    %[[C:.*]] = "shop.more"(%[[N]])
// CHECK-NEXT:    cf.cond_br %[[C]], ^bb1(%[[N]] : index), ^bb2
// CHECK:         util.return %arg1
util.func public @loop(%arg0: index, %arg1: index) -> index {
  cf.br ^bb1(%arg0, %arg1 : index, index)
^bb1(%0: index, %1: index):
  %2 = "shop.op"(%0, %1) : (index, index) -> index
  %3 = "shop.more"(%2) : (index) -> i1
  cf.cond_br %3, ^bb1(%2, %1 : index, index), ^bb2
^bb2:
  util.return %1 : index
}

// -----

// Arguments that differ on one edge stay.
// CHECK-LABEL: util.func public @differ
// CHECK:       ^bb3(%{{.*}}: index, %{{.*}}: index):
util.func public @differ(%arg0: i1, %arg1: index, %arg2: index) -> index {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  %0 = "shop.left"() : () -> index
  cf.br ^bb3(%0, %0 : index, index)
^bb2:
  %1 = "shop.right"() : () -> index
  cf.br ^bb3(%arg1, %1 : index, index)
^bb3(%2: index, %3: index):
  %4 = "shop.op"(%2, %3) : (index, index) -> index
  util.return %4 : index
}
