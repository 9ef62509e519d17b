// Why ops are in one dispatch, or are not. One case for each reason of mode=npu.
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions{horizontal-fusion=true}))' --remarks-filter=npu-fusion --split-input-file %s 2>&1 >/dev/null | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: [Passed] Fused | Category:npu-fusion | Function=tail | Reason="the consumer's loops walk along those of the root", consumer="linalg.generic (9:8)", producer="linalg.matmul (8:8)"
// CHECK-NOT: Function=tail
util.func public @tail(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %e: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  util.return %1 : tensor<4x6xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// The second user could be computed in the kernel, but then the kernel had two results.
// CHECK-COUNT-2: [Missed] NotFused {{.*}} Function=uses | Reason="the producer has 2 uses", {{.*}} producer="linalg.matmul
util.func public @uses(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %e: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  util.return %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// What a contraction reads is computed by another kernel, or by the host.
// CHECK: NotFused {{.*}} Function=chain | Reason="a kernel computes no operand of its contraction or convolution", consumer="linalg.matmul {{.*}}, producer="linalg.matmul
// CHECK: NotFused {{.*}} Function=operand | Reason="a kernel computes no operand of its contraction or convolution", consumer="linalg.matmul {{.*}}, producer="linalg.generic
// CHECK: NotFused {{.*}} Function=maxima | Reason="the consumer reduces or is a named op and starts a dispatch", consumer="linalg.generic {{.*}}, producer="linalg.matmul
util.func public @chain(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  util.return %1 : tensor<4x8xf32>
}
util.func public @operand(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  util.return %1 : tensor<4x8xf32>
}
util.func public @maxima(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>, %e: tensor<4x8xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %1 : tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// The sum of two products is computed where the first is, which therefore waits for the second.
// CHECK: NotFused {{.*}} Function=sum | Reason="both read one operand, but one of them waits for the other", consumer="linalg.matmul {{.*}}, producer="linalg.matmul
// CHECK: [Passed] Fused {{.*}} Function=sum
// CHECK: NotFused {{.*}} Function=sum | Reason="the consumer is in another dispatch", consumer="linalg.generic {{.*}}, producer="linalg.matmul
util.func public @sum(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<8x6xf32>, %e: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.matmul ins(%a, %c : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  util.return %2 : tensor<4x6xf32>
}

// -----

// CHECK: [Passed] Fused {{.*}} Function=siblings | Reason="both contractions read one operand", consumer="linalg.matmul {{.*}}", producer="linalg.matmul
util.func public @siblings(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<8x6xf32>, %e: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.matmul ins(%a, %c : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  util.return %0, %1 : tensor<4x6xf32>, tensor<4x6xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: NotFused {{.*}} Function=widen | Reason="the consumer is cheap and cloned into its users", consumer="linalg.generic {{.*}}, producer="linalg.matmul
// CHECK: NotFused {{.*}} Function=widened | Reason="a kernel computes no operand of its contraction or convolution", consumer="linalg.matmul {{.*}}, producer="linalg.generic
// CHECK: NotFused {{.*}} Function=summed | Reason="the producer is cheap and cloned into its users", consumer="linalg.reduce {{.*}}, producer="linalg.generic
util.func public @widen(%a: tensor<4x8xf16>, %b: tensor<8x6xf16>, %e: tensor<4x6xf16>, %f: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x6xf16>) outs(%e : tensor<4x6xf16>) -> tensor<4x6xf16>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x6xf16>) outs(%f : tensor<4x6xf32>) {
  ^bb0(%x: f16, %o: f32):
    %s = arith.extf %x : f16 to f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  util.return %1 : tensor<4x6xf32>
}
util.func public @widened(%a: tensor<4x8xf16>, %b: tensor<8x6xf32>, %e: tensor<4x6xf32>, %f: tensor<4x8xf32>) -> tensor<4x6xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf16>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%x: f16, %o: f32):
    %s = arith.extf %x : f16 to f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  util.return %1 : tensor<4x6xf32>
}
util.func public @summed(%a: tensor<4x8xf16>, %e: tensor<4xf32>, %f: tensor<4x8xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf16>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%x: f16, %o: f32):
    %s = arith.extf %x : f16 to f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1]
  util.return %1 : tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
// The rows' maxima, what is subtracted from the elements, and the sums walk along the same rows.
// CHECK: [Passed] Fused {{.*}} Function=softmax | Reason="the consumer's loops compute the operand where they read it"
// CHECK: [Passed] Fused {{.*}} Function=softmax | Reason="the consumer's loops compute the operand where they read it"
util.func public @softmax(%a: tensor<4x8xf32>, %i: tensor<4xf32>, %e: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %0 : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %s = math.exp %d : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %1, %2 : tensor<4x8xf32>, tensor<4xf32>
}

// -----

#cube = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#plane = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
// The first walks along planes, the second along rows.
// CHECK: NotFused {{.*}} Function=twice | Reason="both reduce, and their parallel loops differ"
util.func public @twice(%a: tensor<4x8x6xf32>, %i: tensor<4x8xf32>, %j: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#cube, #plane], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<4x8x6xf32>) outs(%i : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%j : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %1 : tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>
// The last op reads both the sums and a product that needs them.
// CHECK: NotFused {{.*}} Function=middle | Reason="what is outside of the dispatch would have to run in its middle", {{.*}} producer="linalg.generic
// What picks elements needs all of them.
// CHECK: NotFused {{.*}} Function=pick | Reason="the consumer picks elements of the result in its body"
// CHECK: NotFused {{.*}} Function=both | Reason="the consumer's operands walk along different loops of the root"
// CHECK: NotFused {{.*}} Function=first | Reason="a tensor between them is indexed by more than single loops"
util.func public @middle(%a: tensor<4x8xf32>, %b: tensor<4x4xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.matvec ins(%b, %0 : tensor<4x4xf32>, tensor<4xf32>) outs(%i : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<4xf32>, tensor<4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %2 : tensor<4xf32>
}
util.func public @pick(%a: tensor<4x8xf32>, %i: tensor<4xf32>, %e: tensor<4xindex>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%e : tensor<4xindex>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: index, %o: f32):
    %s = tensor.extract %0[%x] : tensor<4xf32>
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %1 : tensor<4xf32>
}
util.func public @both(%a: tensor<4x4x8xf32>, %i: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<4x4x8xf32>) outs(%i : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1, d0)>, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%i : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  util.return %1 : tensor<4x4xf32>
}
util.func public @first(%a: tensor<4x8xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %1 : tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
// Two sums of the same elements: the later one computes them, the other reads them.
// CHECK: NotFused {{.*}} Function=shared | Reason="the producer is in another dispatch"
// CHECK: [Passed] Fused {{.*}} Function=shared
util.func public @shared(%a: tensor<4x8xf32>, %i: tensor<4xf32>, %e: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK: NotFused {{.*}} Function=insertion | Reason="the insertion is not of a single use into a fill", consumer="tensor.insert_slice {{.*}}, producer="linalg.matmul
// CHECK: NotFused {{.*}} Function=broadcast | Reason="the consumer has more loops than the producer"
util.func public @insertion(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %e: tensor<4x6xf32>, %f: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = tensor.insert_slice %0 into %f[1, 0] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<6x6xf32>
  util.return %1 : tensor<6x6xf32>
}
util.func public @broadcast(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %e: tensor<4xf32>, %f: tensor<4x2x2xf32>) -> tensor<4x2x2xf32> {
  %0 = linalg.matvec ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<4xf32>) outs(%f : tensor<4x2x2xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x2x2xf32>
  util.return %1 : tensor<4x2x2xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK: NotFused {{.*}} Function=attention | Reason="the producer is no linalg op, whose loops could be followed", {{.*}} producer="iree_linalg_ext.attention
util.func public @attention(%q: tensor<4x64x32xf32>, %e: tensor<4x64x32xf32>, %scale: f32) -> tensor<4x64x32xf32> {
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, l) -> (b, m, k)>, affine_map<(b, m, n, k, l) -> (b, l, k)>, affine_map<(b, m, n, k, l) -> (b, l, n)>, affine_map<(b, m, n, k, l) -> ()>, affine_map<(b, m, n, k, l) -> (b, m, n)>]} ins(%q, %q, %q, %scale : tensor<4x64x32xf32>, tensor<4x64x32xf32>, tensor<4x64x32xf32>, f32) outs(%e : tensor<4x64x32xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<4x64x32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<4x64x32xf32>) outs(%e : tensor<4x64x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x64x32xf32>
  util.return %1 : tensor<4x64x32xf32>
}

// -----

// Each of two convolutions pads what it reads.
// CHECK-COUNT-2: [Passed] Fused {{.*}} Function=pad | Reason="the padding is part of what the window reads", consumer="linalg.conv_2d_nhwc_hwcf {{.*}}, producer="tensor.pad
util.func public @pad(%a: tensor<1x4x4x3xf32>, %b: tensor<3x3x3x8xf32>, %e: tensor<1x4x4x8xf32>) -> (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x4x4x3xf32> to tensor<1x6x6x3xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%0, %b : tensor<1x6x6x3xf32>, tensor<3x3x3x8xf32>) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf ins(%0, %b : tensor<1x6x6x3xf32>, tensor<3x3x3x8xf32>) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  util.return %1, %2 : tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: NotFused {{.*}} Function=many | Reason="the dispatch would have 18 operands and results, more than 16"
util.func public @many(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %e: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %t0 = util.optimization_barrier %e : tensor<4x6xf32>
  %t1 = util.optimization_barrier %e : tensor<4x6xf32>
  %t2 = util.optimization_barrier %e : tensor<4x6xf32>
  %t3 = util.optimization_barrier %e : tensor<4x6xf32>
  %t4 = util.optimization_barrier %e : tensor<4x6xf32>
  %t5 = util.optimization_barrier %e : tensor<4x6xf32>
  %t6 = util.optimization_barrier %e : tensor<4x6xf32>
  %t7 = util.optimization_barrier %e : tensor<4x6xf32>
  %t8 = util.optimization_barrier %e : tensor<4x6xf32>
  %t9 = util.optimization_barrier %e : tensor<4x6xf32>
  %t10 = util.optimization_barrier %e : tensor<4x6xf32>
  %t11 = util.optimization_barrier %e : tensor<4x6xf32>
  %t12 = util.optimization_barrier %e : tensor<4x6xf32>
  %t13 = util.optimization_barrier %e : tensor<4x6xf32>
  %t14 = util.optimization_barrier %e : tensor<4x6xf32>
  %t15 = util.optimization_barrier %e : tensor<4x6xf32>
  %t16 = util.optimization_barrier %e : tensor<4x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %t0, %t1, %t2, %t3, %t4, %t5, %t6, %t7, %t8, %t9, %t10, %t11, %t12, %t13, %t14, %t15, %t16 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %x0: f32, %x1: f32, %x2: f32, %x3: f32, %x4: f32, %x5: f32, %x6: f32, %x7: f32, %x8: f32, %x9: f32, %x10: f32, %x11: f32, %x12: f32, %x13: f32, %x14: f32, %x15: f32, %x16: f32, %o: f32):
    %s = arith.addf %x, %x0 : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  util.return %1 : tensor<4x6xf32>
}
