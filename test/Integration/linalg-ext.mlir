// Ops of iree_linalg_ext in a model: each is a dispatch, on the NPU where there is a form for it, with the
// host's results and those that one can compute by hand.

// RUN: npu-opt --npu-front-half %s | FileCheck %s --check-prefix=FLOW
// RUN: npu-opt --npu-front-half --npu-import-dispatches --npu-partition-report %s -o /dev/null | FileCheck %s --check-prefix=REPORT

// RUN: npu-run --check --function=inclusive "--input=2x4xf32=1 2 3 4 -1 5 0 2" \
// RUN:   "--expected_output=2x4xf32=1 3 6 10 -1 4 4 6" "--expected_output=2xf32=10 6" %s
// RUN: npu-run --check --function=exclusive "--input=2x4xi32=1 2 3 4 -1 5 0 2" \
// RUN:   "--expected_output=2x4xi32=7 8 10 13 7 6 11 11" %s
// RUN: npu-run --check --function=arg_compare "--input=2x4xf32=1 9 3 9 -1 -5 0 -2" \
// RUN:   "--expected_output=2xf32=9 0" "--expected_output=2xi64=101 102" %s
// RUN: npu-run --check --function=gather "--input=3x2xf32=1 2 3 4 5 6" "--input=2x2x1xi64=2 0 1 2" \
// RUN:   "--expected_output=2x2x2xf32=5 6 1 2 3 4 5 6" %s
// RUN: npu-run --check --function=scatter "--input=3x2xi32=1 2 3 4 5 6" "--input=3x1xi32=2 0 2" \
// RUN:   "--input=4x2xi32=10 20 30 40 50 60 70 80" "--expected_output=4x2xi32=13 24 30 40 56 68 70 80" %s
// RUN: npu-run --check --function=sort "--input=2x5xi32=3 1 2 1 3 9 8 7 8 9" "--input=2x5xf32=0 1 2 3 4 0 1 2 3 4" \
// RUN:   "--expected_output=2x5xi32=1 1 2 3 3 7 8 8 9 9" "--expected_output=2x5xf32=1 3 2 0 4 2 1 3 0 4" %s
// RUN: npu-run --check --function=long %s
// RUN: npu-run --check --function=topk "--input=2x5xf32=3 1 2 1 3 9 8 7 8 9" \
// RUN:   "--expected_output=2x3xf32=3 3 2 9 9 8" "--expected_output=2x3xi32=0 4 2 0 4 1" %s
// Neither NaNs nor what is as bad as the fill take a place, on the NPU as in loops.
// RUN: npu-opt --npu-linalg-ext-lower-to-loops %s -o %t.loops.mlir
// RUN: npu-run --check --function=topk "--input=2x5xf32=nan -inf 3 -inf nan 4 nan 4 -inf 5" \
// RUN:   "--expected_output=2x3xf32=3 -inf -inf 5 4 4" "--expected_output=2x3xi32=2 0 0 4 0 2" %s
// RUN: npu-run --check --function=topk "--input=2x5xf32=nan -inf 3 -inf nan 4 nan 4 -inf 5" \
// RUN:   "--expected_output=2x3xf32=3 -inf -inf 5 4 4" "--expected_output=2x3xi32=2 0 0 4 0 2" %t.loops.mlir
// RUN: npu-run --check --function=online_attention %s | FileCheck %s --check-prefix=ONLINE
// RUN: npu-run --check --function=consumed "--input=4xf32=1 2 3 4" "--expected_output=4xf32=2 6 12 20" %s
// RUN: npu-run --check --function=executable "--input=4xi32=3 1 4 1" "--expected_output=4xi32=1 1 3 4" %s

// The ops in outlined executables.
// RUN: npu-opt --npu-front-half %s -o %t.flow.mlir
// RUN: FileCheck %s --check-prefix=OUTLINED < %t.flow.mlir
// RUN: npu-run --check --function=exclusive "--input=2x4xi32=1 2 3 4 -1 5 0 2" \
// RUN:   "--expected_output=2x4xi32=7 8 10 13 7 6 11 11" %t.flow.mlir
// RUN: npu-run --check --function=scatter "--input=3x2xi32=1 2 3 4 5 6" "--input=3x1xi32=2 0 2" \
// RUN:   "--input=4x2xi32=10 20 30 40 50 60 70 80" "--expected_output=4x2xi32=13 24 30 40 56 68 70 80" %t.flow.mlir

// OUTLINED: flow.executable private @scatter_dispatch_0
// OUTLINED: iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%{{.*}}, %{{.*}} : tensor<3x2xi32>, tensor<3x1xi32>)
// OUTLINED: flow.executable private @sort_dispatch_0

// FLOW-COUNT-12: flow.dispatch @
// ONLINE: on the host: none

// REPORT:      #0        npu
// REPORT-NEXT: #1        npu
// REPORT-NEXT: #2        npu
// REPORT-NEXT: #3        npu
// REPORT-NEXT: #4        host {{.*}} op: iree_linalg_ext.scatter shape=4x2
// REPORT-NEXT: op without npu equivalent (iree_linalg_ext.scatter)
// REPORT-NEXT: #5        npu
// REPORT-NEXT: #6        npu
// REPORT-NEXT: #7        npu
// REPORT-NEXT: #8        npu
// REPORT-NEXT: #9        npu
// REPORT-NEXT: #10       npu
// REPORT-NEXT: #11       host {{.*}} op: iree_linalg_ext.sort shape=200000
// REPORT-NEXT: tile that does not fit (3697152 bytes of SRAM for the tile d0=200000 d1=200000)

#q = affine_map<(m, k1, k2, n) -> (m, k1)>
#k = affine_map<(m, k1, k2, n) -> (k2, k1)>
#v = affine_map<(m, k1, k2, n) -> (k2, n)>
#s = affine_map<(m, k1, k2, n) -> ()>
#o = affine_map<(m, k1, k2, n) -> (m, n)>
#row = affine_map<(m, k1, k2, n) -> (m)>

func.func @inclusive(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x4xf32>
  %e = tensor.empty() : tensor<2xf32>
  %a = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %0:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<2x4xf32>) outs(%o, %a : tensor<2x4xf32>, tensor<2xf32>) {
  ^bb0(%sum: f32, %element: f32):
    %1 = arith.addf %sum, %element : f32
    iree_linalg_ext.yield %1 : f32
  } -> tensor<2x4xf32>, tensor<2xf32>
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2xf32>
}

func.func @exclusive(%x: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %start = arith.constant 7 : i32
  %o = tensor.empty() : tensor<2x4xi32>
  %e = tensor.empty() : tensor<2xi32>
  %a = linalg.fill ins(%start : i32) outs(%e : tensor<2xi32>) -> tensor<2xi32>
  %0:2 = iree_linalg_ext.scan dimension(1) inclusive(false) ins(%x : tensor<2x4xi32>) outs(%o, %a : tensor<2x4xi32>, tensor<2xi32>) {
  ^bb0(%sum: i32, %element: i32):
    %1 = arith.addi %sum, %element : i32
    iree_linalg_ext.yield %1 : i32
  } -> tensor<2x4xi32>, tensor<2xi32>
  return %0#0 : tensor<2x4xi32>
}

func.func @arg_compare(%x: tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi64>) {
  %least = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i64
  %base = arith.constant 100 : index
  %e = tensor.empty() : tensor<2xf32>
  %f = tensor.empty() : tensor<2xi64>
  %v = linalg.fill ins(%least : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %p = linalg.fill ins(%first : i64) outs(%f : tensor<2xi64>) -> tensor<2xi64>
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<2x4xf32>) outs(%v, %p : tensor<2xf32>, tensor<2xi64>) index_base(%base : index) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi64>
}

func.func @gather(%x: tensor<3x2xf32>, %i: tensor<2x2x1xi64>) -> tensor<2x2x2xf32> {
  %o = tensor.empty() : tensor<2x2x2xf32>
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i : tensor<3x2xf32>, tensor<2x2x1xi64>) outs(%o : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

func.func @scatter(%u: tensor<3x2xi32>, %i: tensor<3x1xi32>, %o: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i : tensor<3x2xi32>, tensor<3x1xi32>) outs(%o : tensor<4x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %1 = arith.addi %a, %b : i32
    iree_linalg_ext.yield %1 : i32
  } -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

func.func @sort(%x: tensor<2x5xi32>, %y: tensor<2x5xf32>) -> (tensor<2x5xi32>, tensor<2x5xf32>) {
  %0:2 = iree_linalg_ext.sort dimension(1) outs(%x, %y : tensor<2x5xi32>, tensor<2x5xf32>) {
  ^bb0(%a: i32, %b: i32, %c: f32, %d: f32):
    %1 = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<2x5xi32>, tensor<2x5xf32>
  return %0#0, %0#1 : tensor<2x5xi32>, tensor<2x5xf32>
}

func.func @topk(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %least = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x3xf32>
  %f = tensor.empty() : tensor<2x3xi32>
  %v = linalg.fill ins(%least : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = linalg.fill ins(%first : i32) outs(%f : tensor<2x3xi32>) -> tensor<2x3xi32>
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<2x5xf32>) outs(%v, %p : tensor<2x3xf32>, tensor<2x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<2x3xf32>, tensor<2x3xi32>
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}

func.func @online_attention(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x4xf32>, %o: tensor<8x4xf32>, %max: tensor<8xf32>, %sum: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>) {
  %s = arith.constant 0.5 : f32
  %0:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #o, #row, #row]}
      ins(%q, %k, %v, %s : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, f32) outs(%o, %max, %sum : tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>
  return %0#0, %0#1, %0#2 : tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>
}

// What is computed of a result is a dispatch of its own.
func.func @consumed(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<f32>
  %a = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%o, %a : tensor<4xf32>, tensor<f32>) {
  ^bb0(%sum: f32, %element: f32):
    %1 = arith.addf %sum, %element : f32
    iree_linalg_ext.yield %1 : f32
  } -> tensor<4xf32>, tensor<f32>
  %2 = linalg.add ins(%0#0, %0#0 : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// As IREE dumps dispatches before it outlines them.
func.func @executable(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = flow.dispatch.workgroups(%x) : (tensor<4xi32>) -> tensor<4xi32> =
      (%in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>>, %out: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>) {
    %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi32>> -> tensor<4xi32>
    %2 = iree_linalg_ext.sort dimension(0) outs(%1 : tensor<4xi32>) {
    ^bb0(%a: i32, %b: i32):
      %3 = arith.cmpi slt, %a, %b : i32
      iree_linalg_ext.yield %3 : i1
    } -> tensor<4xi32>
    iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0], sizes = [4], strides = [1] : tensor<4xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xi32>>
    flow.return
  }
  return %0 : tensor<4xi32>
}

// Too long for the NPU's memory.
func.func @long(%x: tensor<200000xf32>) -> tensor<200000xf32> {
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<200000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<200000xf32>
  return %0 : tensor<200000xf32>
}
