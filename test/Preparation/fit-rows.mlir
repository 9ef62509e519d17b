// RUN: npu-opt %s --npu-fit-rows | FileCheck %s
// RUN: npu-opt %s --npu-fit-rows --remarks-filter=npu-rows -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#one = affine_map<(i) -> (i)>

// A softmax: the largest, two halves of a power from tables, their sums, a reciprocal with a shift for each row, and a quotient.
// What quantizes is as it was.
// CHECK-LABEL: func.func @softmax
// CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<{{.*}}> : tensor<513xi16>
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<{{.*}}> : tensor<513xi16>
// CHECK: %[[MAX:.*]] = linalg.generic
// CHECK: arith.extui
// CHECK-NEXT: arith.maxsi
// CHECK: %[[POWERS:.*]]:2 = linalg.generic {{.*}} ins(%arg0, %[[MAX]] :
// CHECK: tensor.extract %[[HIGH]]
// CHECK: tensor.extract %[[LOW]]
// CHECK: } -> (tensor<4x100xi32>, tensor<4x100xi32>)
// CHECK: %[[HIGHSUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[POWERS]]#0 :
// CHECK: %[[LOWSUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[POWERS]]#1 :
// CHECK: %[[INVERSE:.*]]:2 = linalg.generic {{.*}} ins(%[[HIGHSUM]], %[[LOWSUM]] :
// CHECK: math.ctlz
// CHECK: arith.divsi
// CHECK: } -> (tensor<4xi32>, tensor<4xi8>)
// CHECK: %[[QUOTIENT:.*]] = linalg.generic {{.*}} ins(%[[POWERS]]#0, %[[POWERS]]#1, %[[INVERSE]]#0, %[[INVERSE]]#1 :
// CHECK: tosa.apply_scale
// CHECK: linalg.generic {{.*}} ins(%[[QUOTIENT]] : tensor<4x100xi32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: i32, %{{.*}}: i8):
// CHECK-NEXT: %[[REAL:.*]] = arith.sitofp %[[IN]] : i32 to f32
// CHECK-NEXT: %[[UNIT:.*]] = arith.constant 2.37487
// CHECK-NEXT: %[[STEPS:.*]] = arith.mulf %[[REAL]], %[[UNIT]] : f32
// CHECK-NEXT: math.roundeven %[[STEPS]] : f32
// CHECK-NOT: math.exp
// CHECK: return
func.func @softmax(%x: tensor<4x100xi8>) -> tensor<4x100xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.00392157 : f32
  %n = arith.constant 100.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<4x100xf32>
  %e = tensor.empty() : tensor<4x100xi8>
  %er = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x100xi8>) outs(%ef : tensor<4x100xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<4x100xf32>
  %p = linalg.softmax dimension(1) ins(%f : tensor<4x100xf32>) outs(%ef : tensor<4x100xf32>) -> tensor<4x100xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x100xf32>) outs(%e : tensor<4x100xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x100xi8>
  return %q : tensor<4x100xi8>
}

// A layer norm of numbers with a sign, with a scale and a bias for each column: the sum of a row, its mean, the squares of distances from
// that, their root's reciprocal, and a product with both scales.
// CHECK-LABEL: func.func @layer_norm
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK: arith.extsi
// CHECK-NEXT: arith.addi
// CHECK: %[[MEAN:.*]]:3 = linalg.generic {{.*}} ins(%[[SUM]] : tensor<8xi32>)
// CHECK: arith.divsi
// CHECK: %[[SQUARES:.*]] = linalg.generic {{.*}} ins(%arg0, %[[MEAN]]#0 :
// CHECK: arith.subi
// CHECK: arith.muli
// CHECK: %[[INVERSE:.*]]:2 = linalg.generic {{.*}} ins(%[[SQUARES]], %[[MEAN]]#1 :
// CHECK-COUNT-12: tosa.apply_scale
// CHECK: %[[GAMMA:.*]] = arith.constant dense<[{{[0-9]+}}, {{-[0-9]+}}, 0, {{[0-9]+}}]> : tensor<4xi32>
// CHECK-NEXT: %[[SHIFTS:.*]] = arith.constant dense<[{{[0-9]+}}, {{[0-9]+}}, 62, {{[0-9]+}}]> : tensor<4xi8>
// CHECK-NEXT: %[[BETA:.*]] = arith.constant dense<{{[0-9]+}}> : tensor<4xi32>
// CHECK: %[[NORMAL:.*]] = linalg.generic {{.*}} ins(%arg0, %[[INVERSE]]#0, %[[INVERSE]]#1, %[[GAMMA]], %[[SHIFTS]], %[[BETA]], %[[MEAN]]#2 :
// CHECK: linalg.generic {{.*}} ins(%[[NORMAL]] : tensor<8x4xi32>)
// CHECK-NOT: math.sqrt
// CHECK: return
func.func @layer_norm(%x: tensor<8x4xi8>) -> tensor<8x4xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.0223 : f32
  %n = arith.constant 4.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x4xi8>
  %er = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x4xi8>) outs(%ef : tensor<8x4xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<8x4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<8x4xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %w = arith.addf %a, %o : f32
    linalg.yield %w : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %sum : tensor<8x4xf32>, tensor<8xf32>) outs(%ef : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.subf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x4xf32>
  %gamma = arith.constant dense<[1.0, -0.5, 0.0, 2.0]> : tensor<4xf32>
  %beta = arith.constant dense<0.5> : tensor<4xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<8x4xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    %w = arith.addf %v, %o : f32
    linalg.yield %w : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #column, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %squares, %gamma, %beta : tensor<8x4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%ef : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %g: f32, %h: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %a, %3 : f32
    %5 = arith.mulf %4, %g : f32
    %6 = arith.addf %5, %h : f32
    linalg.yield %6 : f32
  } -> tensor<8x4xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<8x4xf32>) outs(%e : tensor<8x4xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<8x4xi8>
  return %q : tensor<8x4xi8>
}

// An RMS norm: from the zero point, no mean; one number for all columns goes into what quantizes.
// CHECK-LABEL: func.func @rms_norm
// CHECK: %[[SQUARES:.*]] = linalg.generic
// CHECK: %[[WIDE:.*]] = arith.extui
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 11 : i32
// CHECK-NEXT: %[[DISTANCE:.*]] = arith.subi %[[WIDE]], %[[ZERO]] : i32
// CHECK-NEXT: arith.muli %[[DISTANCE]], %[[DISTANCE]] : i32
// CHECK: linalg.generic {{.*}} ins(%[[SQUARES]] : tensor<8xi32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<8x64xi32>) outs(%{{.*}} : tensor<8x64xi8>)
// CHECK: return
func.func @rms_norm(%x: tensor<8x64xi8>) -> tensor<8x64xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.0223 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<8x64xf32>
  %e = tensor.empty() : tensor<8x64xi8>
  %er = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xi8>) outs(%ef : tensor<8x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<8x64xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<8x64xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    %w = arith.addf %v, %o : f32
    linalg.yield %w : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %squares : tensor<8x64xf32>, tensor<8xf32>) outs(%ef : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %a, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<8x64xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<8x64xf32>) outs(%e : tensor<8x64xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<8x64xi8>
  return %q : tensor<8x64xi8>
}

// What follows stays.
// CHECK-NOT: tosa.apply_scale

// A softmax of what is no line of its byte, or of two bytes.
// REMARK: [Missed] NotInIntegers | Category:npu-rows | Reason="the softmax is of no numbers that rise in proportion to bytes"
func.func @softmax_of_squares(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.00392157 : f32
  %n = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi8>
  %er = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<4x16xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  %p = linalg.softmax dimension(1) ins(%g : tensor<4x16xf32>) outs(%ef : tensor<4x16xf32>) -> tensor<4x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x16xf32>) outs(%e : tensor<4x16xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %q : tensor<4x16xi8>
}

// The smallest would be the largest.
// REMARK: [Missed] NotInIntegers | Category:npu-rows | Reason="the softmax is of no numbers that rise in proportion to bytes"
func.func @softmax_of_negated(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %s = arith.constant -0.1 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.00392157 : f32
  %n = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi8>
  %er = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %p = linalg.softmax dimension(1) ins(%f : tensor<4x16xf32>) outs(%ef : tensor<4x16xf32>) -> tensor<4x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x16xf32>) outs(%e : tensor<4x16xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %q : tensor<4x16xi8>
}

// Times another number for each column.
func.func @softmax_of_columns(%x: tensor<8x4xi8>) -> tensor<8x4xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.00392157 : f32
  %n = arith.constant 4.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x4xi8>
  %er = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x4xi8>) outs(%ef : tensor<8x4xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<8x4xf32>
  %p = linalg.softmax dimension(1) ins(%f : tensor<8x4xf32>) outs(%ef : tensor<8x4xf32>) -> tensor<8x4xf32>
  %columns = arith.constant dense<[0.5, 1.0, 0.5, 2.0]> : tensor<4xf32>
  %c = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %columns : tensor<8x4xf32>, tensor<4xf32>) outs(%ef : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<8x4xf32>) outs(%e : tensor<8x4xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<8x4xi8>
  return %q : tensor<8x4xi8>
}

// REMARK: [Missed] NotInIntegers | Category:npu-rows | Reason="a sum of more than 65536 exponentials may not fit into 32 bits"
func.func @softmax_of_long_rows(%x: tensor<2x65537xi8>) -> tensor<2x65537xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.00392157 : f32
  %n = arith.constant 65537.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<2x65537xf32>
  %e = tensor.empty() : tensor<2x65537xi8>
  %er = tensor.empty() : tensor<2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<2xf32>) -> tensor<2xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x65537xi8>) outs(%ef : tensor<2x65537xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<2x65537xf32>
  %p = linalg.softmax dimension(1) ins(%f : tensor<2x65537xf32>) outs(%ef : tensor<2x65537xf32>) -> tensor<2x65537xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<2x65537xf32>) outs(%e : tensor<2x65537xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<2x65537xi8>
  return %q : tensor<2x65537xi8>
}

// REMARK: [Missed] NotInIntegers | Category:npu-rows | Reason="a step of the result is less than 2^-18"
func.func @softmax_in_small_steps(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 3.0e-6 : f32
  %n = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi8>
  %er = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %p = linalg.softmax dimension(1) ins(%f : tensor<4x16xf32>) outs(%ef : tensor<4x16xf32>) -> tensor<4x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x16xf32>) outs(%e : tensor<4x16xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %q : tensor<4x16xi8>
}

// Rows of equal numbers have no variance.
// REMARK: [Missed] NotInIntegers | Category:npu-rows | Reason="nothing is added to what a row is divided by, which may be 0"
func.func @norm_without_epsilon(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.0223 : f32
  %n = arith.constant 16.0 : f32
  %eps = arith.constant 0.0 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi8>
  %er = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %w = arith.addf %a, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %sum : tensor<4x16xf32>, tensor<4xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.subf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    %w = arith.addf %v, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %squares : tensor<4x16xf32>, tensor<4xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %a, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x16xf32>) outs(%e : tensor<4x16xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %q : tensor<4x16xi8>
}

// REMARK: [Missed] NotInIntegers | Category:npu-rows | Reason="a row's sum of squares does not fit into 30 bits"
func.func @norm_of_long_rows(%x: tensor<2x65537xi8>) -> tensor<2x65537xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.0223 : f32
  %n = arith.constant 65537.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<2x65537xf32>
  %e = tensor.empty() : tensor<2x65537xi8>
  %er = tensor.empty() : tensor<2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<2xf32>) -> tensor<2xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x65537xi8>) outs(%ef : tensor<2x65537xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<2x65537xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<2x65537xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %w = arith.addf %a, %o : f32
    linalg.yield %w : f32
  } -> tensor<2xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %sum : tensor<2x65537xf32>, tensor<2xf32>) outs(%ef : tensor<2x65537xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.subf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x65537xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<2x65537xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    %w = arith.addf %v, %o : f32
    linalg.yield %w : f32
  } -> tensor<2xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %squares : tensor<2x65537xf32>, tensor<2xf32>) outs(%ef : tensor<2x65537xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %a, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x65537xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<2x65537xf32>) outs(%e : tensor<2x65537xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<2x65537xi8>
  return %q : tensor<2x65537xi8>
}

// REMARK: [Missed] NotInIntegers | Category:npu-rows | Reason="a row's sum of squares does not fit into 30 bits"
func.func @norm_with_large_epsilon(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %s = arith.constant 1.0e-7 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.0223 : f32
  %n = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi8>
  %er = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %w = arith.addf %a, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %sum : tensor<4x16xf32>, tensor<4xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.subf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    %w = arith.addf %v, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %squares : tensor<4x16xf32>, tensor<4xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %a, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x16xf32>) outs(%e : tensor<4x16xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %q : tensor<4x16xi8>
}

// REMARK: [Missed] NotInIntegers | Category:npu-rows | Reason="a step of the result is too small beside the largest numbers"
func.func @norm_in_small_steps(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 1.0e-5 : f32
  %n = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi8>
  %er = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %w = arith.addf %a, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %sum : tensor<4x16xf32>, tensor<4xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.subf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %gamma = arith.constant dense<1.0> : tensor<16xf32>
  %beta = arith.constant dense<0.5> : tensor<16xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    %w = arith.addf %v, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #column, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %squares, %gamma, %beta : tensor<4x16xf32>, tensor<4xf32>, tensor<16xf32>, tensor<16xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %g: f32, %h: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %a, %3 : f32
    %5 = arith.mulf %4, %g : f32
    %6 = arith.addf %5, %h : f32
    linalg.yield %6 : f32
  } -> tensor<4x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x16xf32>) outs(%e : tensor<4x16xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %q : tensor<4x16xi8>
}

// REMARK: [Missed] NotInIntegers | Category:npu-rows | Reason="the zero point of the numbers is no integer from -1024 to 1024"
func.func @rms_norm_from_a_half(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.0223 : f32
  %n = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi8>
  %er = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %5 = arith.sitofp %2 : i32 to f32
    %6 = arith.constant 0.5 : f32
    %3 = arith.subf %5, %6 : f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    %w = arith.addf %v, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %squares : tensor<4x16xf32>, tensor<4xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %a, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x16xf32>) outs(%e : tensor<4x16xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %q : tensor<4x16xi8>
}

// The sum of a row is not its mean.
// REMARK: [Missed] NotInIntegers | Category:npu-rows | Reason="the squares are neither of distances from the mean nor from a number"
func.func @no_norm(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.0223 : f32
  %n = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi8>
  %er = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %w = arith.addf %a, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %sum : tensor<4x16xf32>, tensor<4xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.subf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    %w = arith.addf %v, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %squares : tensor<4x16xf32>, tensor<4xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %a, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x16xf32>) outs(%e : tensor<4x16xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %q : tensor<4x16xi8>
}

// A normalization that nothing quantizes.
// REMARK-NOT: NotInIntegers
func.func @floats(%x: tensor<4x16xi8>) -> tensor<4x16xf32> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant 11 : i32
  %t = arith.constant 0.00392157 : f32
  %n = arith.constant 16.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi8>
  %er = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %w = arith.addf %a, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %sum : tensor<4x16xf32>, tensor<4xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.subf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<4x16xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    %w = arith.addf %v, %o : f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %squares : tensor<4x16xf32>, tensor<4xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %a, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x16xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.roundeven %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  return %q : tensor<4x16xf32>
}
