//===- NPUMemoryOps.td - data movement and buffers ---------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUMEMORYOPS_TD
#define NPU_DIALECT_NPU_IR_NPUMEMORYOPS_TD

include "NPU/Dialect/NPU/IR/NPUAttributes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def NPU_DmaLoadOp : NPU_Op<"dma_load", [AttrSizedOperandSegments]> {
  let summary = "copy a box of a tensor into an SRAM tile";
  let description = [{
    For each index d of `dst` with d_i < extent_i in every dimension:
    dst[d] = src[origin + map(d)], or `fill` where a source coordinate is outside the shape of `src`.
    Elements of `dst` outside the extents keep their values. A negative extent counts as zero; without
    extents the whole of `dst` is written. Origins may be negative. `map` defaults to the identity, `fill`
    to zero. The tensor is in DRAM, or in another buffer in SRAM. Runs on `dmai`. With `clusters`, one transfer fills the
    buffer of each of so many clusters, from the first on, and of the `leader`, which makes it (multicast); that is the first one by default.

    Constraints:
    * dma_load_c1: `src` is in dram or sram, `dst` in sram, both with the same element type;
    * dma_load_c2: one origin per dimension of `src`;
    * dma_load_c3: `map` goes from the dimensions of `dst` to those of `src`, without symbols;
    * dma_load_c4: no extents, or one per dimension of `dst`;
    * dma_load_c5: `fill` has the element type;
    * dma_load_c6: with `clusters`, at least two clusters receive the data, and `src` is in dram;
    * dma_load_c7: a `leader` has `clusters`.

    Example, k-major panels of 32 columns:

    ```mlir
    npu.dma_load %b[%k, %n] -> %panels extents(%e0, %e1, %e2) fill(0.000000e+00 : f16)
        {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>}
        : memref<256x256xf16, #npu.space<dram>> to memref<2x128x32xf16, #npu.space<sram>>
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "the tensor", [MemRead]>:$src,
    Variadic<Index>:$origin,
    Arg<AnyMemRef, "on-chip side", [MemWrite]>:$dst,
    Variadic<Index>:$extents,
    OptionalAttr<AffineMapAttr>:$map,
    OptionalAttr<TypedAttrInterface>:$fill,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$clusters,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$leader);
  let assemblyFormat = [{
    $src `[` $origin `]` `->` $dst (`extents` `(` $extents^ `)`)? (`fill` `(` $fill^ `)`)? attr-dict
    `:` type($src) `to` type($dst)
  }];
  let extraClassDeclaration = [{
    /// Map from coordinates of the on-chip side to those of the DRAM side, relative to the origin.
    ::mlir::AffineMap getEffectiveMap();
  }];
  let hasVerifier = 1;
}

def NPU_DmaGatherOp : NPU_Op<"dma_gather", [AttrSizedOperandSegments]> {
  let summary = "copy rows of a DRAM tensor that indices choose into an SRAM tile";
  let description = [{
    For each index d of `dst` with d_i < extent_i in every dimension: dst[d] = src[origin + map(d)], where
    `indices[index_map(d)]` is added to the coordinate number `dimension`. An index outside of that dimension is an error when the
    program runs. Elements of `dst` outside the extents keep their values. A negative extent counts as zero; without
    extents the whole of `dst` is written. Runs on `dmai`.

    Constraints:
    * dma_gather_c1: `src` is in dram, `dst` in sram, both with the same element type;
    * dma_gather_c2: `indices` is in sram, with elements of i32;
    * dma_gather_c3: one origin per dimension of `src`, and `dimension` is one of them;
    * dma_gather_c4: `map` goes from the dimensions of `dst` to those of `src`, `index_map` to those of `indices`,
      without symbols;
    * dma_gather_c5: no extents, or one per dimension of `dst`.

    Example, a row of a table for each of 16 indices:

    ```mlir
    npu.dma_gather %table[%c0, %c0], %indices -> %rows {
        dimension = 0, map = affine_map<(d0, d1) -> (0, d1)>, index_map = affine_map<(d0, d1) -> (d0)>}
        : memref<1000x64xf32, #npu.space<dram>>, memref<16xi32, #npu.space<sram>> to memref<16x64xf32, #npu.space<sram>>
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "DRAM side", [MemRead]>:$src,
    Variadic<Index>:$origin,
    Arg<AnyMemRef, "indices", [MemRead]>:$indices,
    Arg<AnyMemRef, "on-chip side", [MemWrite]>:$dst,
    Variadic<Index>:$extents,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension,
    AffineMapAttr:$map,
    AffineMapAttr:$index_map);
  let assemblyFormat = [{
    $src `[` $origin `]` `,` $indices `->` $dst (`extents` `(` $extents^ `)`)?
    `` custom<OpAttrs>(attr-dict, "getOperationName()")
    `:` type($src) `,` type($indices) `to` type($dst)
  }];
  let hasVerifier = 1;
}

def NPU_DmaStoreOp : NPU_Op<"dma_store", [AttrSizedOperandSegments]> {
  let summary = "copy an on-chip tile into a box of a DRAM tensor";
  let description = [{
    For each index d of `src` with d_i < extent_i in every dimension: dst[origin + map(d)] = src[d].
    Coordinates outside the shape of `dst` are not written. A negative extent counts as zero; without
    extents the whole of `src` is stored. `map` defaults to the identity. Runs on `dmao`.

    Constraints:
    * dma_store_c1: `src` is in sram or acc, `dst` in dram, both with the same element type;
    * dma_store_c2: one origin per dimension of `dst`;
    * dma_store_c3: `map` goes from the dimensions of `src` to those of `dst`, without symbols;
    * dma_store_c4: no extents, or one per dimension of `src`.

    Example:

    ```mlir
    npu.dma_store %tile -> %c[%m, %n] extents(%em, %en)
        : memref<64x64xf32, #npu.space<acc>> to memref<128x256xf32, #npu.space<dram>>
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "on-chip side", [MemRead]>:$src,
    Arg<AnyMemRef, "DRAM side", [MemWrite]>:$dst,
    Variadic<Index>:$origin,
    Variadic<Index>:$extents,
    OptionalAttr<AffineMapAttr>:$map);
  let assemblyFormat = [{
    $src `->` $dst `[` $origin `]` (`extents` `(` $extents^ `)`)? attr-dict
    `:` type($src) `to` type($dst)
  }];
  let extraClassDeclaration = [{
    /// Map from coordinates of the on-chip side to those of the DRAM side, relative to the origin.
    ::mlir::AffineMap getEffectiveMap();
  }];
  let hasVerifier = 1;
}

def NPU_FillOp : NPU_Op<"fill"> {
  let summary = "write a constant to all of an on-chip buffer";
  let description = [{
    Every element of `dst` becomes `value`. Runs on `vpu`.

    Constraints:
    * fill_c1: `dst` is static, in sram or acc;
    * fill_c2: `value` has the element type of `dst`.

    Example: `npu.fill %multiplier {value = 1073741824 : i32} : memref<i32, #npu.space<sram>>`.
  }];
  let arguments = (ins Arg<AnyMemRef, "on-chip buffer", [MemWrite]>:$dst, TypedAttrInterface:$value);
  let assemblyFormat = "$dst attr-dict `:` type($dst)";
  let hasVerifier = 1;
}

def NPU_PreviousOp : NPU_Op<"previous", [
    Pure, AllTypesMatch<["buffer", "previous"]>, ViewLikeOpInterface]> {
  let summary = "the instance of a buffer that the iteration before had";
  let description = [{
    A buffer that is allocated in a loop has an instance per iteration. This is the one of the iteration before
    the current one of that loop, in tile form. In the first iteration there is none, and ops that touch it have
    an extent of zero. Of a part that a loop takes of a larger buffer, it is the part of the iteration before.

    Constraints:
    * previous_c1: the buffer is an allocation with a ring of at least two, or a `memref.subview` in a loop.

    Example:

    ```mlir
    %b = memref.alloc() {npu.buffers = 2 : i64} : memref<64x64xf16, #npu.space<sram>>
    %p = npu.previous %b : memref<64x64xf16, #npu.space<sram>>
    ```
  }];
  let arguments = (ins AnyMemRef:$buffer);
  let results = (outs AnyMemRef:$previous);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
  let extraClassDeclaration = [{
    // ViewLikeOpInterface.
    ::mlir::Value getViewSource() { return getBuffer(); }
  }];
  let hasVerifier = 1;
}

def NPU_RingOp : NPU_Op<"ring", [Pure]> {
  let summary = "one instance of a multi-buffered on-chip buffer";
  let description = [{
    The buffer at byte `offset + (position mod depth) * slot_bytes` of the result's memory space. `position`
    is affine in the counters of the enclosing loops. Before memory planning `offset` is absent. `id`
    numbers the buffers of a kernel: streams of one cluster that name the same number share the buffer.

    Constraints:
    * ring_c1: the result is a static memref with identity layout in sram or acc;
    * ring_c2: depth is positive, slot_bytes holds the buffer, id and offset are not negative.

    Example:

    ```mlir
    %b = npu.ring %i {depth = 2, id = 0, offset = 4096, slot_bytes = 16384}
        : memref<64x128xf16, #npu.space<sram>>
    ```
  }];
  let arguments = (ins
    Index:$position,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$id,
    ConfinedAttr<I64Attr, [IntPositive]>:$depth,
    ConfinedAttr<I64Attr, [IntPositive]>:$slot_bytes,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = [{
    $position `` custom<OpAttrs>(attr-dict, "getOperationName()") `:` type($buffer)
  }];
  let hasVerifier = 1;
}

#endif // NPU_DIALECT_NPU_IR_NPUMEMORYOPS_TD
