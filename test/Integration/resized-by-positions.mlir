// Resizing and padding as torch-mlir writes them: elements that a body reads by what it computes of its counters, in 64 bits and floats.

// RUN: npu-run %s --check --function=nearest | FileCheck %s
// RUN: npu-run %s --check --function=nearest_by_quotient | FileCheck %s
// RUN: npu-run %s --check --function=nearest_by_quotient --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=bilinear | FileCheck %s
// RUN: npu-run %s --check --function=reflected --target=npu-v1:sramBytes=8192 | FileCheck %s

// CHECK: on the NPU: 1 of 1 dispatches
// CHECK: matches host

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

func.func @nearest(%x: tensor<1x4x5x6xf32>) -> tensor<1x4x10x12xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<1x4x10x12xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x4x10x12xf32>) {
  ^bb0(%o: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %1 = arith.index_cast %h : index to i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.divf %2, %two : f32
    %4 = math.floor %3 : f32
    %5 = arith.fptosi %4 : f32 to i64
    %6 = arith.index_cast %5 : i64 to index
    %7 = arith.index_cast %w : index to i64
    %8 = arith.sitofp %7 : i64 to f32
    %9 = arith.divf %8, %two : f32
    %10 = math.floor %9 : f32
    %11 = arith.fptosi %10 : f32 to i64
    %12 = arith.index_cast %11 : i64 to index
    %13 = tensor.extract %x[%n, %c, %6, %12] : tensor<1x4x5x6xf32>
    linalg.yield %13 : f32
  } -> tensor<1x4x10x12xf32>
  return %0 : tensor<1x4x10x12xf32>
}

// By 3 and 2, and what is read is worked on.
func.func @nearest_by_quotient(%x: tensor<2x4x5x6xf16>) -> tensor<2x4x15x12xf16> {
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x4x15x12xf16>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x4x15x12xf16>) {
  ^bb0(%o: f16):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %1 = arith.floordivsi %h, %three : index
    %2 = arith.floordivsi %w, %two : index
    %3 = tensor.extract %x[%n, %c, %1, %2] : tensor<2x4x5x6xf16>
    %4 = arith.maximumf %3, %zero : f16
    linalg.yield %4 : f16
  } -> tensor<2x4x15x12xf16>
  return %0 : tensor<2x4x15x12xf16>
}

// Along one dimension.
func.func @bilinear(%x: tensor<1x4x5x6xf32>) -> tensor<1x4x5x12xf32> {
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %last = arith.constant 5.0 : f32
  %e = tensor.empty() : tensor<1x4x5x12xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x4x5x12xf32>) {
  ^bb0(%o: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %1 = arith.index_cast %w : index to i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.addf %2, %half : f32
    %4 = arith.mulf %3, %half : f32
    %5 = arith.subf %4, %half : f32
    %6 = arith.maximumf %5, %zero : f32
    %7 = math.floor %6 : f32
    %8 = arith.addf %6, %one : f32
    %9 = math.floor %8 : f32
    %10 = arith.minimumf %9, %last : f32
    %11 = arith.fptosi %7 : f32 to i64
    %12 = arith.index_cast %11 : i64 to index
    %13 = arith.fptosi %10 : f32 to i64
    %14 = arith.index_cast %13 : i64 to index
    %15 = arith.subf %6, %7 : f32
    %16 = arith.subf %one, %15 : f32
    %17 = tensor.extract %x[%n, %c, %h, %12] : tensor<1x4x5x6xf32>
    %18 = tensor.extract %x[%n, %c, %h, %14] : tensor<1x4x5x6xf32>
    %19 = arith.mulf %16, %17 : f32
    %20 = arith.mulf %15, %18 : f32
    %21 = arith.addf %19, %20 : f32
    linalg.yield %21 : f32
  } -> tensor<1x4x5x12xf32>
  return %0 : tensor<1x4x5x12xf32>
}

func.func @reflected(%x: tensor<1x4x9x7xi8>) -> tensor<1x4x11x9xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lastRow = arith.constant 8 : index
  %rows = arith.constant 16 : index
  %lastColumn = arith.constant 6 : index
  %columns = arith.constant 12 : index
  %e = tensor.empty() : tensor<1x4x11x9xi8>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x4x11x9xi8>) {
  ^bb0(%o: i8):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %1 = arith.subi %h, %c1 : index
    %2 = arith.cmpi slt, %1, %c0 : index
    %3 = arith.subi %c0, %1 : index
    %4 = arith.select %2, %3, %1 : index
    %5 = arith.cmpi sgt, %4, %lastRow : index
    %6 = arith.subi %rows, %4 : index
    %7 = arith.select %5, %6, %4 : index
    %8 = arith.subi %w, %c1 : index
    %9 = arith.cmpi slt, %8, %c0 : index
    %10 = arith.subi %c0, %8 : index
    %11 = arith.select %9, %10, %8 : index
    %12 = arith.cmpi sgt, %11, %lastColumn : index
    %13 = arith.subi %columns, %11 : index
    %14 = arith.select %12, %13, %11 : index
    %15 = tensor.extract %x[%n, %c, %7, %14] : tensor<1x4x9x7xi8>
    linalg.yield %15 : i8
  } -> tensor<1x4x11x9xi8>
  return %0 : tensor<1x4x11x9xi8>
}
