//===- Passes.td - passes on the npu dialect ------------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NPUVerifyTensorForm : Pass<"npu-verify-tensor-form"> {
  let summary = "Check that kernels are in tensor form";
  let description = [{
    The contract at the end of legalization. Reports every violation at its op and changes nothing.

    #### Precondition
    None.

    #### Postcondition
    Each `npu.kernel` names a target and takes and returns ranked tensors of static shape; its body holds
    only `npu` compute ops on tensors, slices of arguments, `tensor.empty`, `arith.constant` and `npu.return`; element types are
    those of the dialect: i1, i8, i16, i32, f16, bf16, f32.

    #### Example
    ```mlir
    // $ npu-opt --npu-verify-tensor-form
    npu.kernel @relu(%x: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">} {
      %empty = tensor.empty() : tensor<16xf32>
      %0 = npu.binary max %x -> %empty {imm = 0.000000e+00 : f32} : tensor<16xf32> -> tensor<16xf32>
      npu.return %0 : tensor<16xf32>
    }
    ```
  }];
}

def NPUCheckTarget : Pass<"npu-check-target"> {
  let summary = "Check that the target runs every op of its kernels";
  let description = [{
    Reports each op that the kernel's target cannot run: element types its array has no rate for, float
    operations on a vector unit without them. Changes nothing. The same predicate decides the partition.

    #### Precondition
    Kernels in tensor form.

    #### Postcondition
    The target of each kernel runs all of the kernel's ops.

    #### Example
    ```mlir
    // $ npu-opt --npu-check-target --verify-diagnostics
    npu.kernel @f(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>) -> tensor<4x4xf32> attributes {target = #npu.target<"npu-tiny">} {
      %e = tensor.empty() : tensor<4x4xf32>
      // expected-error@below {{operand types that the target's array does not multiply (f16 matmul), expected i8, i16 x i8 on target 'npu-tiny'; run this dispatch on the host}}
      %0 = npu.matmul %a, %b -> %e : tensor<4x8xf16>, tensor<8x4xf16> -> tensor<4x4xf32>
      npu.return %0 : tensor<4x4xf32>
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

def NPUFoldBiases : Pass<"npu-fold-biases", "::npu::KernelOp"> {
  let summary = "let contractions start their sums from a bias";
  let description = [{
    An addition of one number per column to the result of a contraction of integers becomes the contraction's `bias`, if
    nothing else reads that result: the array starts its sums from it, and the vector unit has a pass less. Of floats the
    addition stays: it would be the first of a sum instead of the last, and a large one would cost accuracy.

    `npu-choose-tiles` does the same where it is faster: the bias has to be there before the first product.

    #### Precondition

    Tensor form without a schedule.

    #### Postcondition

    Tensor form.

    #### Example
    ```mlir
    // $ npu-opt --npu-fold-biases
    npu.kernel @k(%x: tensor<64x32xi8>, %w: tensor<32x16xi8>, %b: tensor<16xi32>) -> tensor<64x16xi32> attributes {target = #npu.target<"npu-v1">} {
      %e = tensor.empty() : tensor<64x16xi32>
      %0 = npu.matmul %x, %w -> %e : tensor<64x32xi8>, tensor<32x16xi8> -> tensor<64x16xi32>
      %1 = npu.binary add %0, %b -> %e {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>]} : tensor<64x16xi32>, tensor<16xi32> -> tensor<64x16xi32>
      npu.return %1 : tensor<64x16xi32>
    }
    // becomes
    npu.kernel @k(%arg0: tensor<64x32xi8>, %arg1: tensor<32x16xi8>, %arg2: tensor<16xi32>) -> tensor<64x16xi32> attributes {target = #npu.target<"npu-v1">} {
      %0 = tensor.empty() : tensor<64x16xi32>
      %1 = npu.matmul %arg0, %arg1 bias(%arg2 : tensor<16xi32>) -> %0 : tensor<64x32xi8>, tensor<32x16xi8> -> tensor<64x16xi32>
      npu.return %1 : tensor<64x16xi32>
    }
    ```
  }];
}

def NPUFoldStrides : Pass<"npu-fold-strides", "::npu::KernelOp"> {
  let summary = "choose every other element on chip";
  let description = [{
    A convolution whose input is a slice of every second element, or third, of the rows of a tensor reads the rows whole,
    with a larger stride and padding. DRAM gives whole beats: a transfer of single elements takes a beat for each, one of
    whole rows no more than the rows have. Steps larger than a beat stay, so do those between rows, and so do convolutions
    with several taps along the row, whose tiles would grow.

    #### Precondition

    Tensor form without a schedule.

    #### Postcondition

    Tensor form.

    #### Example
    ```mlir
    // $ npu-opt --npu-fold-strides
    npu.kernel @k(%x: tensor<16x8x8xi8>, %w: tensor<32x16x1x1xi8>) -> tensor<32x4x4xi32> attributes {target = #npu.target<"npu-v1">} {
      %0 = tensor.extract_slice %x[0, 0, 0] [16, 4, 4] [1, 2, 2] : tensor<16x8x8xi8> to tensor<16x4x4xi8>
      %e = tensor.empty() : tensor<32x4x4xi32>
      %1 = npu.conv %0, %w -> %e {layout_input = #npu.layout<chw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<fhw>} : tensor<16x4x4xi8>, tensor<32x16x1x1xi8> -> tensor<32x4x4xi32>
      npu.return %1 : tensor<32x4x4xi32>
    }
    // becomes
    npu.kernel @k(%arg0: tensor<16x8x8xi8>, %arg1: tensor<32x16x1x1xi8>) -> tensor<32x4x4xi32> attributes {target = #npu.target<"npu-v1">} {
      %0 = tensor.empty() : tensor<32x4x4xi32>
      %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [16, 4, 7] [1, 2, 1] : tensor<16x8x8xi8> to tensor<16x4x7xi8>
      %1 = npu.conv %extracted_slice, %arg1 -> %0 {layout_filter = #npu.layout<fcyx>, layout_input = #npu.layout<chw>, layout_output = #npu.layout<fhw>, stride = array<i64: 1, 2>} : tensor<16x4x7xi8>, tensor<32x16x1x1xi8> -> tensor<32x4x4xi32>
      npu.return %1 : tensor<32x4x4xi32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def NPUExpandArgReductions : Pass<"npu-expand-arg-reductions"> {
  let summary = "make positions of extremes reductions where rows do not fit";
  let description = [{
    A tile of `npu.arg_reduce` has its rows whole. In kernels of which no tile fits the target, this pass writes the op
    as the extreme, and the least position of what equals it: two reductions, which go on from tile to tile but read
    the rows twice.

    #### Precondition

    Tensor form without a schedule.

    #### Postcondition

    Tensor form.

    #### Example
    ```mlir
    // $ npu-opt --npu-expand-arg-reductions
    npu.kernel @k(%x: tensor<2x100xi32>) -> tensor<2xi32> attributes {target = #npu.target<"npu-v1:sramBytes=448">} {
      %e = tensor.empty() : tensor<2xi32>
      %0 = npu.arg_reduce argmax %x -> %e {dimension = 1, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<2x100xi32> -> tensor<2xi32>
      npu.return %0 : tensor<2xi32>
    }
    // becomes
    npu.kernel @k(%arg0: tensor<2x100xi32>) -> tensor<2xi32> attributes {target = #npu.target<"npu-v1:sramBytes=448">} {
      %0 = tensor.empty() : tensor<2xi32>
      %1 = tensor.empty() : tensor<2xi32>
      %2 = npu.reduce max %arg0 -> %1 {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]} : tensor<2x100xi32> -> tensor<2xi32>
      %3 = tensor.empty() : tensor<2x100xi1>
      %4 = npu.binary cmpeq %arg0, %2 -> %3 {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>]} : tensor<2x100xi32>, tensor<2xi32> -> tensor<2x100xi1>
      %cst = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]> : tensor<100xi32>
      %cst_0 = arith.constant dense<100> : tensor<i32>
      %5 = tensor.empty() : tensor<2x100xi32>
      %6 = npu.select %4, %cst, %cst_0 -> %5 {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>]} : tensor<2x100xi1>, tensor<100xi32>, tensor<i32> -> tensor<2x100xi32>
      %7 = npu.reduce min %6 -> %0 {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]} : tensor<2x100xi32> -> tensor<2xi32>
      npu.return %7 : tensor<2xi32>
    }
    ```
  }];
}

def NPUCheckFit : Pass<"npu-check-fit"> {
  let summary = "check that some tile of each loop nest of a kernel fits the target";
  let description = [{
    Reports kernels that npu-choose-tiles would refuse, without searching: those that have no stages, and those
    with a group whose smallest tile needs more memory than the target has.

    #### Precondition

    Tensor form.

    #### Postcondition

    npu-choose-tiles finds a schedule.

    #### Example
    ```mlir
    // $ npu-opt --npu-check-fit --verify-diagnostics
    npu.kernel @k(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32>
        attributes {target = #npu.target<"npu-v1:sramBytes=1024,macCols=512,macRows=2">} {
      %e = tensor.empty() : tensor<64x64xf32>
      // expected-error@below {{tile that does not fit (2112 bytes of SRAM for the tile m=1 n=1 k=1), expected at most 1024 bytes on target 'npu-v1:sramBytes=1024,macCols=512,macRows=2'; run this dispatch on the host}}
      // expected-note@below {{left operand: 1x1 elements of 4 bytes, 1 times 64 bytes of SRAM}}
      // expected-note@below {{right operand: 1x1x512 elements of 4 bytes, 1 times 2048 bytes of SRAM}}
      // expected-note@below {{accumulator: 1x1 elements of 4 bytes, 1 times 64 bytes of accumulator memory}}
      %0 = npu.matmul %a, %b -> %e : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
      npu.return %0 : tensor<64x64xf32>
    }
    ```
  }];
}

def NPUChooseTiles : Pass<"npu-choose-tiles"> {
  let summary = "find a schedule: tiles, loops, places and ring depths";
  let description = [{
    Writes the `schedule` of each kernel. The kernel's ops form stages, a contraction alone or ops of the vector unit
    that work on one tile. A contraction, or a reduction over several tiles, and what is computed of its results is a
    group. Each group is a tiling problem, which is searched with an analytic cost model; groups follow each other. A value between them stays
    on chip for the whole kernel where it fits, and readers that cannot take it as it lies copy tiles of it; else it
    goes through scratch memory in DRAM. The ops of a kernel of several groups get the names of their stages.

    A kernel that does not stay on chip because what it reduces depends on another reduction may be split as
    `npu-split-cascades` does it, if that is faster.

    A schedule that is already written is checked and kept; tile sizes on a group's root and `cluster` on a kernel
    of one group are kept, too. When nothing fits, the error lists what the smallest tile needs. A remark of
    category `npu-tile` tells each choice and the predicted cycles.

    #### Precondition

    Tensor form.

    #### Postcondition

    Every kernel has a `schedule`, whose footprint is within the target.

    #### Example
    ```mlir
    // $ npu-opt --npu-choose-tiles
    npu.kernel @k(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> attributes {target = #npu.target<"npu-v1">} {
      %e = tensor.empty() : tensor<512x512xf32>
      %0 = npu.matmul %a, %b -> %e : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf32>
      npu.return %0 : tensor<512x512xf32>
    }
    // becomes
    npu.kernel @k(%arg0: tensor<512x512xf16>, %arg1: tensor<512x512xf16>) -> tensor<512x512xf32> attributes {schedule = #npu.schedule<{for n = 256 {load @matmul.rhs x2, for m = 64 {value @matmul -> acc x2, for k = 512 {load @matmul.lhs x2, @matmul}}}} cycles 145184 tight>, target = #npu.target<"npu-v1">} {
      %0 = tensor.empty() : tensor<512x512xf32>
      %1 = npu.matmul %arg0, %arg1 -> %0 : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf32>
      npu.return %1 : tensor<512x512xf32>
    }
    ```
  }];
}

def NPUSplitCascades : Pass<"npu-split-cascades"> {
  let summary = "reduce what depends on another reduction block by block";
  let description = [{
    A softmax reduces exp(x - m), whose m is a reduction along the same dimension: the row has to be read twice,
    or stay on chip. This pass divides the dimension into blocks of `block` elements. Each block is reduced with its
    own extreme m_block, then scaled by exp(m_block - m), and then blocks are reduced. So is what is linear in the
    exponentials: a second contraction, as in attention. What else needs m, for example the softmax itself, is
    computed of x once more. Tensors that have the dimension get two in its place; their bytes lie as before.

    A block of infinities has the largest number in the place of its extreme, so that it counts nothing beside
    others. Divisions by a result, as by the softmax' sum, come last. Results differ from those of the whole rows
    by rounding only.

    `npu-choose-tiles` does the same where whole rows do not stay on chip, with the blocks that are fastest.

    Kernels without such reductions stay as they are.

    #### Precondition

    Tensor form without a schedule.

    #### Postcondition

    Tensor form.

    #### Example
    ```mlir
    // $ npu-opt --npu-split-cascades=block=64
    #id = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    npu.kernel @k(%x: tensor<8x256xf32>) -> tensor<8xf32> attributes {target = #npu.target<"npu-v1">} {
      %r = tensor.empty() : tensor<8xf32>
      %e = tensor.empty() : tensor<8x256xf32>
      %0 = npu.reduce max %x -> %r {indexing_maps = [#id, #row]} : tensor<8x256xf32> -> tensor<8xf32>
      %1 = npu.binary sub %x, %0 -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x256xf32>, tensor<8xf32> -> tensor<8x256xf32>
      %2 = npu.unary exp %1 -> %e : tensor<8x256xf32> -> tensor<8x256xf32>
      %3 = npu.reduce sum %2 -> %r {indexing_maps = [#id, #row]} : tensor<8x256xf32> -> tensor<8xf32>
      npu.return %3 : tensor<8xf32>
    }
    // becomes
    npu.kernel @k(%arg0: tensor<8x4x64xf32>) -> tensor<8xf32> attributes {target = #npu.target<"npu-v1">} {
      %0 = tensor.empty() : tensor<4x8xf32>
      %1 = npu.reduce max %arg0 -> %0 {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0)>]} : tensor<8x4x64xf32> -> tensor<4x8xf32>
      %2 = tensor.empty() : tensor<4x8xf32>
      %3 = npu.binary max %1 -> %2 {imm = -3.40282347E+38 : f32} : tensor<4x8xf32> -> tensor<4x8xf32>
      %4 = tensor.empty() : tensor<8x4x64xf32>
      %5 = npu.binary sub %arg0, %3 -> %4 {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]} : tensor<8x4x64xf32>, tensor<4x8xf32> -> tensor<8x4x64xf32>
      %6 = tensor.empty() : tensor<8x4x64xf32>
      %7 = npu.unary exp %5 -> %6 : tensor<8x4x64xf32> -> tensor<8x4x64xf32>
      %8 = tensor.empty() : tensor<4x8xf32>
      %9 = npu.reduce sum %7 -> %8 {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0)>]} : tensor<8x4x64xf32> -> tensor<4x8xf32>
      %10 = tensor.empty() : tensor<8xf32>
      %11 = npu.reduce max %1 -> %10 {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]} : tensor<4x8xf32> -> tensor<8xf32>
      %12 = tensor.empty() : tensor<8xf32>
      %13 = npu.binary max %11 -> %12 {imm = -3.40282347E+38 : f32} : tensor<8xf32> -> tensor<8xf32>
      %14 = tensor.empty() : tensor<4x8xf32>
      %15 = npu.binary sub %3, %13 -> %14 {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]} : tensor<4x8xf32>, tensor<8xf32> -> tensor<4x8xf32>
      %16 = tensor.empty() : tensor<4x8xf32>
      %17 = npu.unary exp %15 -> %16 : tensor<4x8xf32> -> tensor<4x8xf32>
      %18 = tensor.empty() : tensor<4x8xf32>
      %19 = npu.binary mul %9, %17 -> %18 {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]} : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
      %20 = tensor.empty() : tensor<8xf32>
      %21 = npu.reduce sum %19 -> %20 {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]} : tensor<4x8xf32> -> tensor<8xf32>
      npu.return %21 : tensor<8xf32>
    }
    ```
  }];
  let options = [Option<"block", "block", "int64_t", "1024", "Elements of a block">];
}

def NPULowerToTiles : Pass<"npu-lower-to-tiles", "::npu::KernelOp"> {
  let summary = "lower a kernel from tensor form to tile form";
  let description = [{
    Writes down the kernel's `schedule`: its loops, a buffer where something lives, DMA, and the ops of each stage on
    tiles. A skewed stage reads and writes what its loop's iteration before had (`npu.previous`), and the loop has
    an iteration more; ops with nothing to do in the first or last one have an extent of zero. Values that are
    loaded live in scratch memory, or in SRAM outside of all loops. `tiling` keeps the tile; the schedule has the cycles that are predicted for the kernel.

    A schedule that cannot be is an error that says why.

    #### Precondition

    Tensor form with a `schedule`.

    #### Postcondition

    Tile form, as `npu-verify-tile-form` checks it.

    #### Example
    ```mlir
    // $ npu-opt --npu-lower-to-tiles
    npu.kernel @k(%a: tensor<1024x64xi8>, %b: tensor<64x32xi8>) -> tensor<1024x32xi32> attributes {target = #npu.target<"npu-v1">,
        schedule = #npu.schedule<{load @matmul.rhs, for m = 256 {load @matmul.lhs x2, @matmul -> acc x2}}>} {
      %e = tensor.empty() : tensor<1024x32xi32>
      %0 = npu.matmul %a, %b -> %e : tensor<1024x64xi8>, tensor<64x32xi8> -> tensor<1024x32xi32>
      npu.return %0 : tensor<1024x32xi32>
    }
    // becomes
    npu.kernel @k(%arg0: memref<1024x64xi8, #npu.space<dram>>, %arg1: memref<64x32xi8, #npu.space<dram>>, %arg2: memref<1024x32xi32, #npu.space<dram>> {npu.output}) attributes {schedule = #npu.schedule<{load @matmul.rhs, for m = 256 {load @matmul.lhs x2, @matmul -> acc x2}}>, target = #npu.target<"npu-v1">, tiling = #npu.tiling<m = 256, n = 32, k = 64>} {
      %c256 = arith.constant 256 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %alloc = memref.alloc() : memref<1x64x32xi8, #npu.space<sram>>
      npu.dma_load %arg1[%c0, %c0] -> %alloc extents(%c1, %c64, %c32) fill(0 : i8) {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<64x32xi8, #npu.space<dram>> to memref<1x64x32xi8, #npu.space<sram>>
      scf.for %arg3 = %c0 to %c4 step %c1 {
        %0 = affine.apply affine_map<(d0) -> (d0 * 256)>(%arg3)
        %alloc_0 = memref.alloc() {npu.buffers = 2 : i64} : memref<256x64xi8, #npu.space<sram>>
        npu.dma_load %arg0[%0, %c0] -> %alloc_0 extents(%c256, %c64) : memref<1024x64xi8, #npu.space<dram>> to memref<256x64xi8, #npu.space<sram>>
        %alloc_1 = memref.alloc() {npu.buffers = 2 : i64} : memref<256x32xi32, #npu.space<acc>>
        npu.matmul %alloc_0, %alloc -> %alloc_1 extents(%c256, %c32, %c64) {packed} : memref<256x64xi8, #npu.space<sram>>, memref<1x64x32xi8, #npu.space<sram>> -> memref<256x32xi32, #npu.space<acc>>
        npu.dma_store %alloc_1 -> %arg2[%0, %c0] extents(%c256, %c32) : memref<256x32xi32, #npu.space<acc>> to memref<1024x32xi32, #npu.space<dram>>
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def NPUVerifyTileForm : Pass<"npu-verify-tile-form", "::npu::KernelOp"> {
  let summary = "check that a kernel is in tile form";
  let description = [{
    Checks what the passes after tiling rely on: memref arguments in dram; loops from 0 by 1 to a
    constant, perhaps in loops over clusters in the kernel itself, each of which has its buffers on chip; transfers for several clusters the same for each of them; index values affine in loop counters; on-chip buffers static in sram or
    acc, with slots that fit the target where they live together; scratch memory outside of all loops; the matrix engine reads sram, writes acc, and its second operand is packed unless
    depthwise; no more dimensions in a DMA or an op of the vector unit than instructions have.

    #### Precondition

    None.

    #### Postcondition

    The IR is unchanged.

    #### Example
    ```mlir
    // $ npu-opt --npu-verify-tile-form --verify-diagnostics
    npu.kernel @k(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      // expected-error@below {{'scf.for' op expected a loop from 0 in steps of 1 to a positive constant, without results}}
      scf.for %i = %c1 to %c4 step %c1 {
      }
      npu.return
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// From tile form to planned form
//===----------------------------------------------------------------------===//

def NPULinkKernels : Pass<"npu-link-kernels"> {
  let summary = "put kernels that others launch into one kernel";
  let description = [{
    Replaces every `npu.launch` by what the launched kernel does, so that a sequence of kernels becomes one program: its
    transfers run ahead of its computations across what were kernels. Constants of the kernels become constants of the
    one that launches them. A private kernel that nothing refers to any more is erased.

    #### Precondition

    Kernels in tile form, distributed over clusters, and kernels that launch them on memory in DRAM.

    #### Postcondition

    Tile form without launches.

    #### Example
    ```mlir
    // $ npu-opt --npu-link-kernels
    npu.kernel private @copy(%from: memref<64xi8, #npu.space<dram>>, %to: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %buffer = memref.alloc() : memref<64xi8, #npu.space<sram>>
      npu.dma_load %from[%c0] -> %buffer extents(%c64) : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
      npu.dma_store %buffer -> %to[%c0] extents(%c64) : memref<64xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
      npu.return
    }
    npu.kernel @twice(%x: memref<64xi8, #npu.space<dram>>, %y: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %between = memref.alloc() : memref<64xi8, #npu.space<dram>>
      %row = memref.view %y[%c0][] : memref<64xi8, #npu.space<dram>> to memref<16xf32, #npu.space<dram>>
      npu.launch @copy(%x, %between) : memref<64xi8, #npu.space<dram>>, memref<64xi8, #npu.space<dram>>
      npu.launch @copy(%between, %y) : memref<64xi8, #npu.space<dram>>, memref<64xi8, #npu.space<dram>>
      npu.return
    }
    // becomes
    npu.kernel @twice(%arg0: memref<64xi8, #npu.space<dram>>, %arg1: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {schedule = #npu.schedule<{}>, target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %alloc = memref.alloc() : memref<64xi8, #npu.space<dram>>
      %view = memref.view %arg1[%c0][] : memref<64xi8, #npu.space<dram>> to memref<16xf32, #npu.space<dram>>
      %c0_0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %alloc_1 = memref.alloc() : memref<64xi8, #npu.space<sram>>
      npu.dma_load %arg0[%c0_0] -> %alloc_1 extents(%c64) : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
      npu.dma_store %alloc_1 -> %alloc[%c0_0] extents(%c64) : memref<64xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
      %c0_2 = arith.constant 0 : index
      %c64_3 = arith.constant 64 : index
      %alloc_4 = memref.alloc() : memref<64xi8, #npu.space<sram>>
      npu.dma_load %alloc[%c0_2] -> %alloc_4 extents(%c64_3) : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
      npu.dma_store %alloc_4 -> %arg1[%c0_2] extents(%c64_3) : memref<64xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::npu::NPUDialect"];
}

def NPUDistributeClusters : Pass<"npu-distribute-clusters", "::npu::KernelOp"> {
  let summary = "give each cluster its share of the tiles";
  let description = [{
    Splits the loops that carry `npu.clusters` into contiguous shares of whole tiles: of T iterations every cluster
    runs ceil(T / count), and the body's counter becomes `cluster * ceil(T / count) + counter`. The loop and what stands
    before it, up to the loop before that stores, are put in one `scf.forall` over the clusters; what shares buffers on chip stays together. Later passes see
    every cluster's part as one nest with a constant cluster number. The last cluster's iterations past T have extents of zero or less: their ops
    only wait and signal, and all clusters keep the same constant trip counts. What has no such loop is the first cluster's and does not change.
    A load whose place does not depend on the cluster is made for all of them at once (`clusters`).

    #### Precondition

    Tile form. Loops with `npu.clusters` that share buffers on chip have the same number of them. Every `npu.dma_store` among them is inside one and its origin depends on that loop's counter, or else
    all clusters would write the same data.

    #### Postcondition

    No loop has `npu.clusters`; what several clusters do is in an `scf.forall` in the kernel's body.

    #### Example
    ```mlir
    // $ npu-opt --npu-distribute-clusters
    npu.kernel @k(%x: memref<250xf32, #npu.space<dram>>, %y: memref<250xf32, #npu.space<dram>> {npu.output})
        attributes {target = #npu.target<"npu-v1-x4">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %o = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
        %n = affine.min affine_map<(d0) -> (250 - d0 * 32, 32)>(%i)
        %t = memref.alloc() {npu.buffers = 2 : i64} : memref<32xf32, #npu.space<sram>>
        npu.dma_load %x[%o] -> %t extents(%n) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
        npu.unary neg %t -> %t extents(%n) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
        npu.dma_store %t -> %y[%o] extents(%n) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
      } {npu.clusters = 4 : i64}
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<250xf32, #npu.space<dram>>, %arg1: memref<250xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.forall (%arg2) in (4) {
        %c2 = arith.constant 2 : index
        scf.for %arg3 = %c0 to %c2 step %c1 {
          %0 = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%arg2, %arg3)
          %1 = affine.apply affine_map<(d0) -> (d0 * 32)>(%0)
          %2 = affine.min affine_map<(d0) -> (d0 * -32 + 250, 32)>(%0)
          %alloc = memref.alloc() {npu.buffers = 2 : i64} : memref<32xf32, #npu.space<sram>>
          npu.dma_load %arg0[%1] -> %alloc extents(%2) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
          npu.unary neg %alloc -> %alloc extents(%2) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
          npu.dma_store %alloc -> %arg1[%1] extents(%2) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
        }
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect"];
}

def NPUMaterializeScalars : Pass<"npu-materialize-scalars", "::npu::KernelOp"> {
  let summary = "put the multiplier and shift of rescalings into memory";
  let description = [{
    The vector unit reads the multipliers and shifts of a rescaling from memory. This pass gives an
    `npu.rescale` with constants two buffers of one element, which `npu.fill` writes once before all loops.
    Equal constants share a buffer.

    #### Precondition

    Tile form, possibly distributed over clusters.

    #### Postcondition

    No `npu.rescale` has constant multipliers or shifts.

    #### Example
    ```mlir
    // $ npu-opt --npu-materialize-scalars
    npu.kernel @k(%d: memref<16xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %x = memref.alloc() : memref<16xi32, #npu.space<sram>>
      %y = memref.alloc() : memref<16xi8, #npu.space<sram>>
      npu.rescale %x -> %y {multiplier = 1073741824, shift = 37} : memref<16xi32, #npu.space<sram>> -> memref<16xi8, #npu.space<sram>>
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<16xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %alloc = memref.alloc() : memref<i8, #npu.space<sram>>
      npu.fill %alloc {value = 37 : i8} : memref<i8, #npu.space<sram>>
      %alloc_0 = memref.alloc() : memref<i32, #npu.space<sram>>
      npu.fill %alloc_0 {value = 1073741824 : i32} : memref<i32, #npu.space<sram>>
      %alloc_1 = memref.alloc() : memref<16xi32, #npu.space<sram>>
      %alloc_2 = memref.alloc() : memref<16xi8, #npu.space<sram>>
      npu.rescale %alloc_1 scales(%alloc_0, %alloc) -> %alloc_2 {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>]} : memref<16xi32, #npu.space<sram>>, memref<i32, #npu.space<sram>>, memref<i8, #npu.space<sram>> -> memref<16xi8, #npu.space<sram>>
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def NPUFitBuffers : Pass<"npu-fit-buffers", "::npu::KernelOp"> {
  let summary = "reduce ring depths until the on-chip buffers fit";
  let description = [{
    Makes the ring depths (`npu.buffers`) of on-chip allocations explicit and useful: a buffer of one engine
    only, or with one instance, needs one slot. If SRAM or ACC then cannot hold all buffers of the kernel,
    the depth of the largest buffer in that memory that has more than one slot is reduced by one, with a
    remark, until they fit. Only then does an error say what is required, what the target has, and which
    buffers live at the peak.

    This happens before synchronization is inserted, because the waits for free slots depend on the depths.

    #### Precondition

    Tile form.

    #### Postcondition

    Every on-chip `memref.alloc` has `npu.buffers` and all of them fit the target.

    #### Example
    ```mlir
    // $ npu-opt --npu-fit-buffers
    npu.kernel @k(%x: memref<2000xf32, #npu.space<dram>>, %y: memref<2000xf32, #npu.space<dram>> {npu.output})
        attributes {target = #npu.target<"npu-v1:sramBytes=1024">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %o = affine.apply affine_map<(d0) -> (d0 * 256)>(%i)
        %n = affine.min affine_map<(d0) -> (2000 - d0 * 256, 256)>(%i)
        %t = memref.alloc() {npu.buffers = 2 : i64} : memref<256xf32, #npu.space<sram>>
        npu.dma_load %x[%o] -> %t extents(%n) : memref<2000xf32, #npu.space<dram>> to memref<256xf32, #npu.space<sram>>
        npu.unary neg %t -> %t extents(%n) : memref<256xf32, #npu.space<sram>> -> memref<256xf32, #npu.space<sram>>
        npu.dma_store %t -> %y[%o] extents(%n) : memref<256xf32, #npu.space<sram>> to memref<2000xf32, #npu.space<dram>>
      }
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<2000xf32, #npu.space<dram>>, %arg1: memref<2000xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=1024">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %arg2 = %c0 to %c8 step %c1 {
        %0 = affine.apply affine_map<(d0) -> (d0 * 256)>(%arg2)
        %1 = affine.min affine_map<(d0) -> (d0 * -256 + 2000, 256)>(%arg2)
        %alloc = memref.alloc() {npu.buffers = 1 : i64} : memref<256xf32, #npu.space<sram>>
        npu.dma_load %arg0[%0] -> %alloc extents(%1) : memref<2000xf32, #npu.space<dram>> to memref<256xf32, #npu.space<sram>>
        npu.unary neg %alloc -> %alloc extents(%1) : memref<256xf32, #npu.space<sram>> -> memref<256xf32, #npu.space<sram>>
        npu.dma_store %alloc -> %arg1[%0] extents(%1) : memref<256xf32, #npu.space<sram>> to memref<2000xf32, #npu.space<dram>>
      }
      npu.return
    }
    ```
  }];
}

def NPUKeepResident : Pass<"npu-keep-resident", "::npu::KernelOp"> {
  let summary = "keep what kernels hand on in the SRAM of the clusters that use it";
  let description = [{
    A tensor in DRAM that is stored and loaded again stays in SRAM where each cluster loads no more than what it has stored itself. A buffer
    of the kernel, one for each cluster, holds the cluster's share of the tensor, with its dimensions in the order of the tile that is stored. That tile
    becomes a part of it, so the store costs nothing. A tile that is loaded becomes one, too, if the ops read it in place: its dimensions have the same order, nothing
    pads it, and nothing else writes to it; otherwise the load copies within SRAM. Loads of what other clusters store go on reading
    DRAM, and then the tensor stays there as well.

    Tensors that save the most transfers for their bytes and for the time that they are kept come first; they stay as long as all fits.

    #### Precondition

    Tile form, buffers fitted.

    #### Postcondition

    Tile form. Buffers of the kernel itself belong to each cluster that uses them.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(npu.kernel(npu-keep-resident))'
    npu.kernel @negate_twice(%x: memref<64xf32, #npu.space<dram>>, %y: memref<64xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %between = memref.alloc() : memref<64xf32, #npu.space<dram>>
      %a = memref.alloc() : memref<64xf32, #npu.space<sram>>
      npu.dma_load %x[%c0] -> %a : memref<64xf32, #npu.space<dram>> to memref<64xf32, #npu.space<sram>>
      npu.unary neg %a -> %a : memref<64xf32, #npu.space<sram>> -> memref<64xf32, #npu.space<sram>>
      npu.dma_store %a -> %between[%c0] : memref<64xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
      %b = memref.alloc() : memref<64xf32, #npu.space<sram>>
      npu.dma_load %between[%c0] -> %b : memref<64xf32, #npu.space<dram>> to memref<64xf32, #npu.space<sram>>
      %c = memref.alloc() : memref<64xf32, #npu.space<sram>>
      npu.unary neg %b -> %c : memref<64xf32, #npu.space<sram>> -> memref<64xf32, #npu.space<sram>>
      npu.dma_store %c -> %y[%c0] : memref<64xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def NPUPlanMemory : Pass<"npu-plan-memory", "::npu::KernelOp"> {
  let summary = "assign byte offsets to buffers";
  let description = [{
    Gives every allocation its offset in SRAM, ACC or the program's scratch memory in DRAM, `npu.offset`, a multiple of the ISA's `bufferAlignment`. Buffers in a
    loop live as long as the outermost loop around them, because its iterations overlap; buffers of which one is done with
    before the other is touched may share bytes. This happens before streams are made, since whoever takes over
    shared bytes has to wait; where there is room, buffers share no bytes with the loop before theirs, whose work then
    overlaps their loads. If they do not fit, an error lists required and available bytes and the live
    buffers at the peak. `planned_bytes` keeps the peaks, and the remark category `npu-plan-memory` reports
    them.

    #### Precondition

    Tile form, possibly distributed over clusters.

    #### Postcondition

    Every `memref.alloc` has `npu.offset`.

    #### Example
    ```mlir
    // $ npu-opt --npu-plan-memory
    npu.kernel @k(%x: memref<250xf32, #npu.space<dram>>, %y: memref<250xf32, #npu.space<dram>> {npu.output})
        attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %o = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
        %n = affine.min affine_map<(d0) -> (250 - d0 * 32, 32)>(%i)
        %t = memref.alloc() {npu.buffers = 2 : i64} : memref<32xf32, #npu.space<sram>>
        npu.dma_load %x[%o] -> %t extents(%n) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
        npu.unary neg %t -> %t extents(%n) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
        npu.dma_store %t -> %y[%o] extents(%n) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
      }
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<250xf32, #npu.space<dram>>, %arg1: memref<250xf32, #npu.space<dram>> {npu.output}) attributes {planned_bytes = #npu.planned_bytes<sram = 256, acc = 0>, target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %arg2 = %c0 to %c8 step %c1 {
        %0 = affine.apply affine_map<(d0) -> (d0 * 32)>(%arg2)
        %1 = affine.min affine_map<(d0) -> (d0 * -32 + 250, 32)>(%arg2)
        %alloc = memref.alloc() {npu.buffers = 2 : i64, npu.offset = 0 : i64} : memref<32xf32, #npu.space<sram>>
        npu.dma_load %arg0[%0] -> %alloc extents(%1) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
        npu.unary neg %alloc -> %alloc extents(%1) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
        npu.dma_store %alloc -> %arg1[%0] extents(%1) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
      }
      npu.return
    }
    ```
  }];
}

def NPUPipelineStreams : Pass<"npu-pipeline-streams", "::npu::KernelOp"> {
  let summary = "split a kernel into one synchronised stream per engine and cluster";
  let description = [{
    Clones the nest once per engine that has work and per cluster into `npu.stream`, with that engine's ops
    and the loops and index computations they need. Every on-chip
    allocation becomes a ring whose position is the linear number of the iteration of the loops around it.

    Every pair of ops of different engines that touch the same buffer, at least one writing, keeps its
    program order: within an instance, from iteration to iteration of loops inside the buffer's scope, and
    from an instance to the next that uses the same slot. An op that others wait for signals its own
    semaphore after every execution; the waiting op's `npu.wait` compares with the number of signals of all
    executions it depends on, an affine function of the counters since trip counts are constant. Waits that
    other waits and the order of the streams imply are left out. Where planned buffers share bytes, ops that touch the
    later one wait for all that touch the earlier one. Buffers in DRAM that the kernel writes and
    reads are synchronised likewise, over all clusters, where the boxes of two transfers may meet; buffers that are only read or only written need nothing.
    Ops of different clusters in one loop over them are independent, but for what one of them loads for the others.

    #### Precondition

    Tile form, possibly distributed over clusters, with `npu.offset` for programs.

    #### Postcondition

    Planned form: the kernel's body is a list of streams.

    #### Example
    ```mlir
    // $ npu-opt --npu-pipeline-streams
    npu.kernel @k(%x: memref<250xf32, #npu.space<dram>>, %y: memref<250xf32, #npu.space<dram>> {npu.output})
        attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %o = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
        %n = affine.min affine_map<(d0) -> (250 - d0 * 32, 32)>(%i)
        %t = memref.alloc() {npu.buffers = 2 : i64, npu.offset = 0 : i64} : memref<32xf32, #npu.space<sram>>
        npu.dma_load %x[%o] -> %t extents(%n) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
        npu.unary neg %t -> %t extents(%n) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
        npu.dma_store %t -> %y[%o] extents(%n) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
      }
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<250xf32, #npu.space<dram>>, %arg1: memref<250xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      npu.stream dmai cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        scf.for %arg2 = %c0 to %c8 step %c1 {
          %0 = affine.apply affine_map<(d0) -> (d0 * 32)>(%arg2)
          %1 = affine.min affine_map<(d0) -> (d0 * -32 + 250, 32)>(%arg2)
          %2 = npu.ring %arg2 {depth = 2, id = 0, offset = 0, slot_bytes = 128} : memref<32xf32, #npu.space<sram>>
          %3 = affine.apply affine_map<(d0) -> (d0 - 1)>(%arg2)
          npu.wait sem(1) >= %3
          npu.dma_load %arg0[%0] -> %2 extents(%1) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
          npu.signal sem(2)
        }
      }
      npu.stream dmao cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        scf.for %arg2 = %c0 to %c8 step %c1 {
          %0 = affine.apply affine_map<(d0) -> (d0 * 32)>(%arg2)
          %1 = affine.min affine_map<(d0) -> (d0 * -32 + 250, 32)>(%arg2)
          %2 = npu.ring %arg2 {depth = 2, id = 0, offset = 0, slot_bytes = 128} : memref<32xf32, #npu.space<sram>>
          %3 = affine.apply affine_map<(d0) -> (d0 + 1)>(%arg2)
          npu.wait sem(3) >= %3
          npu.dma_store %2 -> %arg1[%0] extents(%1) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
          npu.signal sem(1)
        }
      }
      npu.stream vpu cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        scf.for %arg2 = %c0 to %c8 step %c1 {
          %0 = affine.min affine_map<(d0) -> (d0 * -32 + 250, 32)>(%arg2)
          %1 = npu.ring %arg2 {depth = 2, id = 0, offset = 0, slot_bytes = 128} : memref<32xf32, #npu.space<sram>>
          %2 = affine.apply affine_map<(d0) -> (d0 + 1)>(%arg2)
          npu.wait sem(2) >= %2
          npu.unary neg %1 -> %1 extents(%0) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
          npu.signal sem(3)
        }
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def NPUVerifyPlannedForm : Pass<"npu-verify-planned-form", "::npu::KernelOp"> {
  let summary = "check that a kernel is in planned form";
  let description = [{
    Contract between planning and instruction selection.

    #### Precondition

    None.

    #### Postcondition

    The kernel names a known target; its body is a list of `npu.stream`, one per cluster and engine at most, and
    buffers in DRAM. A stream holds loops from 0 in steps of 1 to positive constants, index computations, views, rings
    with offsets inside the target's memory and inside `planned_bytes`, semaphore ops, and the ops of its engine.

    #### Example
    ```mlir
    // $ npu-opt --npu-verify-planned-form --verify-diagnostics
    npu.kernel @k(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      // expected-error@below {{'npu.stream' op is for cluster 1 but target 'npu-v1' has 1}}
      npu.stream dmai cluster(1) {
      }
      npu.return
    }
    ```
  }];
}

#endif // NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD
