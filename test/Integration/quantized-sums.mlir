// What npu-fit-sums makes of sums of two bytes gives the host's bits for all pairs of bytes, on a chip of integers only: with a ReLU, of
// numbers without sign, and with a pair that is apart.
// RUN: %python -c "print('--input=256xi8=' + ' '.join(map(str, range(-128, 128))))" > %t.flags
// RUN: npu-run %s --function=residual --target=npu-tiny --npu-fallback=error --check --flagfile=%t.flags --flagfile=%t.flags | FileCheck %s
// RUN: npu-run %s --function=residual --target=npu-v1 --npu-fallback=error --check --flagfile=%t.flags --flagfile=%t.flags | FileCheck %s
// RUN: npu-run %s --function=difference --target=npu-tiny --npu-fallback=error --check --flagfile=%t.flags --flagfile=%t.flags | FileCheck %s
// RUN: npu-run %s --function=pair --target=npu-tiny --npu-fallback=error --check --flagfile=%t.flags --flagfile=%t.flags | FileCheck %s

// CHECK: host check: match: 65536 elements, {{[0-9]+}} distinct values, max abs error 0
// CHECK: matches host

#lhs = affine_map<(i, j) -> (i)>
#rhs = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>

func.func @residual(%x: tensor<256xi8>, %y: tensor<256xi8>) -> tensor<256x256xi8> {
  %flip = arith.constant 85 : i8
  %xs = arith.constant 0.0213 : f32
  %ys = arith.constant 0.0371 : f32
  %s = arith.constant 0.0433 : f32
  %xz = arith.constant 11.0 : f32
  %zero = arith.constant 0.0 : f32
  %z = arith.constant -7.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<256x256xi8>
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<256xi8>, tensor<256xi8>) outs(%e : tensor<256x256xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %byte = arith.xori %a, %flip : i8
    %1 = arith.sitofp %byte : i8 to f32
    %2 = arith.subf %1, %xz : f32
    %3 = arith.mulf %2, %xs : f32
    %4 = arith.sitofp %b : i8 to f32
    %5 = arith.mulf %4, %ys : f32
    %6 = arith.addf %3, %5 : f32
    %7 = arith.maximumf %6, %zero : f32
    %8 = arith.divf %7, %s : f32
    %9 = math.roundeven %8 : f32
    %10 = arith.addf %9, %z : f32
    %11 = arith.maximumf %10, %least : f32
    %12 = arith.minimumf %11, %most : f32
    %13 = arith.fptosi %12 : f32 to i8
    linalg.yield %13 : i8
  } -> tensor<256x256xi8>
  return %0 : tensor<256x256xi8>
}

func.func @difference(%x: tensor<256xi8>, %y: tensor<256xi8>) -> tensor<256x256xi8> {
  %xs = arith.constant 1.3130713 : f32
  %ys = arith.constant 0.7273911 : f32
  %c = arith.constant 57.317 : f32
  %least = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<256x256xi8>
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<256xi8>, tensor<256xi8>) outs(%e : tensor<256x256xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %1 = arith.uitofp %a : i8 to f32
    %2 = arith.mulf %1, %xs : f32
    %3 = arith.uitofp %b : i8 to f32
    %4 = arith.mulf %3, %ys : f32
    %5 = arith.subf %2, %4 : f32
    %6 = arith.addf %5, %c : f32
    %7 = math.roundeven %6 : f32
    %8 = arith.cmpf ugt, %7, %least : f32
    %9 = arith.select %8, %7, %least : f32
    %10 = arith.minimumf %9, %most : f32
    %11 = arith.fptoui %10 : f32 to i8
    linalg.yield %11 : i8
  } -> tensor<256x256xi8>
  return %0 : tensor<256x256xi8>
}

func.func @pair(%x: tensor<256xi8>, %y: tensor<256xi8>) -> tensor<256x256xi8> {
  %xs = arith.constant 0.0298390202 : f32
  %ys = arith.constant 0.0235065464 : f32
  %yz = arith.constant 121 : i32
  %s = arith.constant 0.0317027085 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<256x256xi8>
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<256xi8>, tensor<256xi8>) outs(%e : tensor<256x256xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %xs : f32
    %4 = arith.extui %b : i8 to i32
    %5 = arith.subi %4, %yz : i32
    %6 = arith.sitofp %5 : i32 to f32
    %7 = arith.mulf %6, %ys : f32
    %8 = arith.addf %7, %3 : f32
    %9 = arith.maximumf %8, %zero : f32
    %10 = arith.divf %9, %s : f32
    %11 = math.roundeven %10 : f32
    %12 = arith.addf %11, %least : f32
    %13 = arith.maximumf %12, %least : f32
    %14 = arith.minimumf %13, %most : f32
    %15 = arith.fptosi %14 : f32 to i8
    linalg.yield %15 : i8
  } -> tensor<256x256xi8>
  return %0 : tensor<256x256xi8>
}
