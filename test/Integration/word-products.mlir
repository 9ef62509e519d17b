// Products of i32, which the array does not multiply, are sums of the vector unit: modulo 2^32, bit for bit as on the host.

// RUN: npu-run %s --check --npu-fallback=error --function=matmul | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=matmul --target=npu-tiny | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=batch_matmul --target=npu-v1:sramBytes=65536 | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=dot --target=npu-v1-x4 | FileCheck %s

// CHECK: on the NPU: 1 of 1 dispatches
// CHECK: matches host

func.func @matmul(%x: tensor<33x40xi32>, %w: tensor<40x24xi32>) -> tensor<33x24xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<33x24xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<33x24xi32>) -> tensor<33x24xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<33x40xi32>, tensor<40x24xi32>) outs(%f : tensor<33x24xi32>) -> tensor<33x24xi32>
  return %0 : tensor<33x24xi32>
}

func.func @batch_matmul(%x: tensor<2x33x40xi32>, %w: tensor<2x40x24xi32>) -> tensor<2x33x24xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x33x24xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x33x24xi32>) -> tensor<2x33x24xi32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<2x33x40xi32>, tensor<2x40x24xi32>) outs(%f : tensor<2x33x24xi32>) -> tensor<2x33x24xi32>
  return %0 : tensor<2x33x24xi32>
}

// Of columns of a matrix that are transposed, and with an accumulator.
func.func @dot(%x: tensor<70x6xi32>, %y: tensor<6x70xi32>, %sum: tensor<6xi32>) -> tensor<6xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (k, i)>, affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<70x6xi32>, tensor<6x70xi32>) outs(%sum : tensor<6xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %m = arith.muli %a, %b : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
