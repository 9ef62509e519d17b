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
  let summary = "Check that the target supports every op of its kernels";
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
  let summary = "Fold biases into the initial accumulators of contractions";
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
  let summary = "Fold strided slices into the strides of convolutions";
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
  let summary = "Expand arg reductions whose rows do not fit on chip";
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
  let summary = "Check that at least one tile size of each loop nest fits the target";
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
  let summary = "Search for a schedule: tile sizes, loops, memory spaces and numbers of buffers";
  let description = [{
    Writes the `schedule` of each kernel. The kernel's ops form stages, a contraction alone or ops of the vector unit
    that work on one tile. A contraction, or a reduction over several tiles, and what is computed of its results is a
    group. Each group is a tiling problem, which is searched with an analytic cost model; groups follow each other. A value between them stays
    on chip for the whole kernel where it fits, and readers that cannot take it as it lies copy tiles of it; else it
    goes through scratch memory in DRAM. The ops of a kernel of several groups get the names of their stages.

    A kernel that does not stay on chip because what it reduces depends on another reduction may be split as
    `npu-split-cascades` does it, if that is faster.

    Where what windows read of another stage does not fit on chip, all stages may be scheduled strip by strip of the results (`#npu.strips`),
    if that is better; a remark `Strips` tells.

    With `resident`, transfers of the tensors that it names are free, SRAM is smaller by its bytes, and clusters that share a kernel
    share the dimension that it gives, where they can. The attribute is gone afterwards.

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
    npu.kernel @k(%arg0: tensor<512x512xf16>, %arg1: tensor<512x512xf16>) -> tensor<512x512xf32> attributes {schedule = #npu.schedule<{keep @matmul.rhs, for m = 96 {keep @matmul.lhs, for n = 256 {value @matmul -> acc x2, for k = 192 {load @matmul.lhs, load @matmul.rhs, @matmul begin k = [96, 128]}}}} cycles 139516>, target = #npu.target<"npu-v1">} {
      %0 = tensor.empty() : tensor<512x512xf32>
      %1 = npu.matmul %arg0, %arg1 -> %0 : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf32>
      npu.return %1 : tensor<512x512xf32>
    }
    ```
  }];
}

def NPUSplitCascades : Pass<"npu-split-cascades"> {
  let summary = "Split dependent reductions, such as those of a softmax, into blocks";
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
  let options = [Option<"block", "block", "int64_t", "1024", "The number of elements of a block">];
}

def NPULowerToTiles : Pass<"npu-lower-to-tiles", "::npu::KernelOp"> {
  let summary = "Lower kernels from tensor form to tile form";
  let description = [{
    Writes down the kernel's `schedule`: its loops, a buffer where something lives, DMA, and the ops of each stage on
    tiles. A skewed stage reads and writes what its loop's iteration before had (`npu.previous`), and the loop has
    an iteration more; ops with nothing to do in the first or last one have an extent of zero. Values that are
    loaded live in scratch memory, or in SRAM outside of all loops. `tiling` keeps the tile; the schedule has the cycles that are predicted for the kernel.

    Of a schedule of strips (`#npu.strips`) each strip is written down so, one after the other, with its transfers where the strip is in the tensors; `tiling` is that
    of what most strips are.

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
  let summary = "Check that kernels are in tile form";
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

include "NPU/Dialect/NPU/Transforms/TileFormPasses.td"
include "NPU/Dialect/NPU/Transforms/PlannedFormPasses.td"

#endif // NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD
