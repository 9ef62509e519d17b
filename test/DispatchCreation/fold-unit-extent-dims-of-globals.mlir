// RUN: npu-opt %s --npu-dispatch-creation-fold-unit-extent-dims | FileCheck %s
// RUN: npu-opt %s --pass-pipeline="builtin.module(util.func(npu-dispatch-creation-fold-unit-extent-dims))" | FileCheck %s --check-prefix=FUNC

// CHECK: util.global private @parameter = #flow.parameter.named<"net"::"w"> : tensor<7x3xf32>
// FUNC: util.global private @parameter = #flow.parameter.named<"net"::"w"> : tensor<1x7x1x3xf32>
util.global private @parameter = #flow.parameter.named<"net"::"w"> : tensor<1x7x1x3xf32>
// CHECK: util.global private mutable @state = #util.uninitialized : tensor<4xi8>
util.global private mutable @state = #util.uninitialized : tensor<4x1xi8>
// CHECK: util.global private @scalar = #flow.parameter.named<"zero"> : tensor<f32>
util.global private @scalar = #flow.parameter.named<"zero"> : tensor<1x1xf32>

// Others may know the type, the data have it, nothing says where the data come from, the encoding
// belongs to the shape, or there is nothing to fold.
// CHECK: util.global public @public = #flow.parameter.named<"p"> : tensor<1x2xf32>
util.global public @public = #flow.parameter.named<"p"> : tensor<1x2xf32>
// CHECK: util.global private @dense = dense<{{.*}}> : tensor<1x2xf32>
util.global private @dense = dense<[[1.0, 2.0]]> : tensor<1x2xf32>
// CHECK: util.global private mutable @none : tensor<1x2xf32>
util.global private mutable @none : tensor<1x2xf32>
// CHECK: util.global private @encoded = #flow.parameter.named<"e"> : tensor<1x2xf32, 7 : i32>
util.global private @encoded = #flow.parameter.named<"e"> : tensor<1x2xf32, 7 : i32>
// CHECK: util.global private @large = #flow.parameter.named<"l"> : tensor<3x2xf32>
util.global private @large = #flow.parameter.named<"l"> : tensor<3x2xf32>
// CHECK: util.global private @dynamic = #flow.parameter.named<"d"> : tensor<1x?xf32>
util.global private @dynamic = #flow.parameter.named<"d"> : tensor<1x?xf32>
// An access by address is not seen.
// CHECK: util.global private @address = #flow.parameter.named<"a"> : tensor<1x2xf32>
util.global private @address = #flow.parameter.named<"a"> : tensor<1x2xf32>

// CHECK-LABEL: util.func public @load
// CHECK:         %[[W:.*]] = util.global.load @parameter : tensor<7x3xf32>
// CHECK-NEXT:    %[[E:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<7x3xf32> into tensor<1x7x1x3xf32>
// CHECK-NEXT:    util.return %[[E]]
util.func public @load() -> tensor<1x7x1x3xf32> {
  %w = util.global.load @parameter : tensor<1x7x1x3xf32>
  util.return %w : tensor<1x7x1x3xf32>
}

// CHECK-LABEL: util.func public @exchange
// CHECK-SAME:    (%[[NEW:.*]]: tensor<4x1xi8>)
// CHECK:         %[[OLD:.*]] = util.global.load @state : tensor<4xi8>
// CHECK-NEXT:    %[[E:.*]] = tensor.expand_shape %[[OLD]] {{.*}} : tensor<4xi8> into tensor<4x1xi8>
// CHECK-NEXT:    %[[C:.*]] = tensor.collapse_shape %[[NEW]] {{.*}} : tensor<4x1xi8> into tensor<4xi8>
// CHECK-NEXT:    util.global.store %[[C]], @state : tensor<4xi8>
// CHECK-NEXT:    util.return %[[E]]
util.func public @exchange(%new: tensor<4x1xi8>) -> tensor<4x1xi8> {
  %old = util.global.load @state : tensor<4x1xi8>
  util.global.store %new, @state : tensor<4x1xi8>
  util.return %old : tensor<4x1xi8>
}

// CHECK-LABEL: util.func public @rank_zero
// CHECK:         %[[S:.*]] = util.global.load @scalar : tensor<f32>
// CHECK-NEXT:    tensor.expand_shape %[[S]] [] {{.*}} : tensor<f32> into tensor<1x1xf32>
util.func public @rank_zero() -> tensor<1x1xf32> {
  %s = util.global.load @scalar : tensor<1x1xf32>
  util.return %s : tensor<1x1xf32>
}

// CHECK-LABEL: util.func public @take_address
// CHECK-NEXT:    util.global.address @address : !util.ptr<tensor<1x2xf32>>
// CHECK-NEXT:    util.global.load @address : tensor<1x2xf32>
util.func public @take_address() -> (!util.ptr<tensor<1x2xf32>>, tensor<1x2xf32>) {
  %p = util.global.address @address : !util.ptr<tensor<1x2xf32>>
  %0 = util.global.load @address : tensor<1x2xf32>
  util.return %p, %0 : !util.ptr<tensor<1x2xf32>>, tensor<1x2xf32>
}
