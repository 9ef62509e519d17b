// Rows of 40000 bytes: a softmax that is not flat, and an RMS norm.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @softmax(%x: tensor<3x40000xi8>) -> tensor<3x40000xi8> {
  %s = arith.constant 0.0913 : f32
  %z = arith.constant 0 : i32
  %t = arith.constant 7.0e-6 : f32
  %n = arith.constant 40000.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<3x40000xf32>
  %e = tensor.empty() : tensor<3x40000xi8>
  %er = tensor.empty() : tensor<3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<3xf32>) -> tensor<3xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x40000xi8>) outs(%ef : tensor<3x40000xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<3x40000xf32>
  %p = linalg.softmax dimension(1) ins(%f : tensor<3x40000xf32>) outs(%ef : tensor<3x40000xf32>) -> tensor<3x40000xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<3x40000xf32>) outs(%e : tensor<3x40000xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<3x40000xi8>
  return %q : tensor<3x40000xi8>
}

func.func @rms_norm(%x: tensor<3x40000xi8>) -> tensor<3x40000xi8> {
  %s = arith.constant 0.0213 : f32
  %z = arith.constant -3 : i32
  %t = arith.constant 0.0223 : f32
  %n = arith.constant 40000.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %ef = tensor.empty() : tensor<3x40000xf32>
  %e = tensor.empty() : tensor<3x40000xi8>
  %er = tensor.empty() : tensor<3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<3xf32>) -> tensor<3xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x40000xi8>) outs(%ef : tensor<3x40000xf32>) {
  ^bb0(%a: i8, %o: f32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<3x40000xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%f : tensor<3x40000xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    %w = arith.addf %v, %o : f32
    linalg.yield %w : f32
  } -> tensor<3xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %squares : tensor<3x40000xf32>, tensor<3xf32>) outs(%ef : tensor<3x40000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %b, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %a, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<3x40000xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<3x40000xf32>) outs(%e : tensor<3x40000xi8>) {
  ^bb0(%a: f32, %o: i8):
    %1 = arith.divf %a, %t : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %least : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<3x40000xi8>
  return %q : tensor<3x40000xi8>
}
