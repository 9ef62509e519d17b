// Products whose sums are in SRAM, with what models have behind them: a bias that the array would start from otherwise, a residual sum, nothing. Rows of 96 in batches, weights by rows and by columns.

// RUN: npu-run --check --input="random(1)" --target=npu-v1:sramBytes=98304,accBytes=16384,dramBytesPerCycle=2 --function=integers --npu-schedule=%t.integers.json %s | FileCheck %s
// RUN: FileCheck %s --check-prefix=SPILLED --input-file=%t.integers.json
// RUN: npu-run --check --input="smallints(1)" --target=npu-v1:sramBytes=65536,accBytes=8192,dramBytesPerCycle=1 --function=floats --npu-schedule=%t.floats.json %s | FileCheck %s
// RUN: FileCheck %s --check-prefix=SPILLED --input-file=%t.floats.json
// RUN: npu-run --check --input="random(1)" --target=npu-v1:sramBytes=65536,accBytes=8192,dramBytesPerCycle=1 --function=batches --npu-schedule=%t.batches.json %s | FileCheck %s
// RUN: FileCheck %s --check-prefix=SPILLED --input-file=%t.batches.json

// Each of four clusters keeps its own rows, and all of them load the weights together.
// RUN: npu-run --check --input="random(1)" --target=npu-v1-x4:sramBytes=65536,accBytes=8192,dramBytesPerCycle=4 --function=integers --npu-schedule=%t.clusters.json %s | FileCheck %s
// RUN: FileCheck %s --check-prefix=CLUSTERS --input-file=%t.clusters.json
// CLUSTERS: for m = {{[0-9]+}} clusters 4 {{.*}}@matmul -> sram, for k = {{[0-9]+}} {keep @matmul.lhs

// What is predicted is near what is simulated, with the tail and without one.
// RUN: npu-run --timing-only --compare-schedules --target=npu-v1:sramBytes=98304,accBytes=16384,dramBytesPerCycle=2 --function=integers %s | FileCheck %s --check-prefix=NEAR
// RUN: npu-run --timing-only --compare-schedules --target=npu-v1:sramBytes=98304,accBytes=16384,dramBytesPerCycle=2 --function=added %s | FileCheck %s --check-prefix=NEAR
// RUN: npu-run --timing-only --compare-schedules --target=npu-v1:sramBytes=65536,accBytes=8192,dramBytesPerCycle=1 --function=batches %s | FileCheck %s --check-prefix=NEAR
// NEAR: predicted {{[0-9]+}}, simulated {{[0-9]+}} ({{-?[01]\.[0-9]}} %)
// RUN: npu-run --check --input="random(1)" --target=npu-v1:sramBytes=98304,accBytes=16384,dramBytesPerCycle=2 --function=added --npu-schedule=%t.added.json %s | FileCheck %s
// RUN: FileCheck %s --check-prefix=SPILLED --input-file=%t.added.json

// What was written is followed, and takes the same cycles.
// RUN: npu-run --timing-only --target=npu-v1:sramBytes=65536,accBytes=8192,dramBytesPerCycle=1 --function=batches %s > %t.searched.txt
// RUN: npu-run --timing-only --target=npu-v1:sramBytes=65536,accBytes=8192,dramBytesPerCycle=1 --function=batches --npu-schedule=%t.batches.json %s > %t.followed.txt
// RUN: diff %t.searched.txt %t.followed.txt

// CHECK: matches host
// SPILLED: @{{[a-z]+}} -> sram, for k

func.func @integers(%x: tensor<256x2000xi8>, %w: tensor<2000x500xi8>, %bias: tensor<500xi32>) -> tensor<256x500xi8> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<256x500xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<256x500xi32>) -> tensor<256x500xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<256x2000xi8>, tensor<2000x500xi8>) outs(%init : tensor<256x500xi32>) -> tensor<256x500xi32>
  %e = tensor.empty() : tensor<256x500xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : tensor<256x500xi32>, tensor<500xi32>) outs(%e : tensor<256x500xi8>) {
  ^bb0(%s: i32, %b: i32, %o: i8):
    %scale = arith.constant 0.001 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %t = arith.addi %s, %b : i32
    %f = arith.sitofp %t : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %q = math.roundeven %m : f32
    %l = arith.maximumf %q, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  } -> tensor<256x500xi8>
  return %r : tensor<256x500xi8>
}

func.func @floats(%x: tensor<160x1500xf16>, %w: tensor<300x1500xf16>, %residual: tensor<160x300xf16>) -> tensor<160x300xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<160x300xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<160x300xf32>) -> tensor<160x300xf32>
  %sum = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<160x1500xf16>, tensor<300x1500xf16>) outs(%init : tensor<160x300xf32>) -> tensor<160x300xf32>
  %e = tensor.empty() : tensor<160x300xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %residual : tensor<160x300xf32>, tensor<160x300xf16>) outs(%e : tensor<160x300xf16>) {
  ^bb0(%s: f32, %b: f16, %o: f16):
    %t = arith.truncf %s : f32 to f16
    %u = arith.addf %t, %b : f16
    linalg.yield %u : f16
  } -> tensor<160x300xf16>
  return %r : tensor<160x300xf16>
}

func.func @batches(%x: tensor<2x96x1000xi8>, %w: tensor<2x1000x320xi8>) -> tensor<2x96x320xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<2x96x320xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x96x320xi32>) -> tensor<2x96x320xi32>
  %sum = linalg.batch_matmul ins(%x, %w : tensor<2x96x1000xi8>, tensor<2x1000x320xi8>) outs(%init : tensor<2x96x320xi32>) -> tensor<2x96x320xi32>
  return %sum : tensor<2x96x320xi32>
}

// The tail works in place of the sums, which are stored from there.
func.func @added(%x: tensor<256x2000xi8>, %w: tensor<2000x512xi8>, %r: tensor<256x512xi32>) -> tensor<256x512xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<256x512xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<256x512xi32>) -> tensor<256x512xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<256x2000xi8>, tensor<2000x512xi8>) outs(%init : tensor<256x512xi32>) -> tensor<256x512xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %r : tensor<256x512xi32>, tensor<256x512xi32>) outs(%empty : tensor<256x512xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %t = arith.addi %a, %b : i32
    linalg.yield %t : i32
  } -> tensor<256x512xi32>
  return %y : tensor<256x512xi32>
}
