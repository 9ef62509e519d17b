//===- NPUAttributes.td - attributes of the npu dialect ----*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUATTRIBUTES_TD
#define NPU_DIALECT_NPU_IR_NPUATTRIBUTES_TD

include "NPU/Dialect/NPU/IR/NPUDialect.td"
include "NPU/Dialect/NPU/IR/NPUSchedule.td"
include "NPU/Target/ISA/ISAEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class NPU_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<NPU_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class NPU_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::npu";
  let genSpecializedAttr = 0;
}

/// Values of an enumeration of the ISA, under its names and numbers.
class NPU_FromISA<string name, string summary, list<Case> isaCases>
    : NPU_I32Enum<name, summary,
                  !foreach(c, isaCases, I32EnumAttrCase<c.identifier, c.value, c.name>)>;

//===----------------------------------------------------------------------===//
// Target and places
//===----------------------------------------------------------------------===//

def NPU_TargetAttr : NPU_Attr<"Target", "target"> {
  let summary = "an NPU, by its specification";
  let description = [{
    Specifies the chip as `--target` does: the name of a known chip, or that name and the parameters that
    differ, or a new name and every parameter. Passes look up or read what is specified; any text parses.

    Examples: `#npu.target<"npu-v1">`, `#npu.target<"npu-v1:clusters=2,sramBytes=524288">`.
  }];
  let parameters = (ins "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` $name `>`";
}

def NPU_MemorySpace : NPU_I32Enum<"MemorySpace", "where a buffer lives", [
  I32EnumAttrCase<"Dram", 0, "dram">,
  I32EnumAttrCase<"Sram", 1, "sram">,
  I32EnumAttrCase<"Acc", 2, "acc">
]>;

def NPU_MemorySpaceAttr : EnumAttr<NPU_Dialect, NPU_MemorySpace, "space"> {
  let summary = "memory space of a memref";
  let description = [{
    `dram` is shared by all clusters; `sram` and `acc` (the accumulators of the matrix engine) belong to one.

    Example: `memref<64x64xf32, #npu.space<acc>>`.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def NPU_Engine : NPU_FromISA<"Engine", "an engine of a cluster, with its own in-order stream",
                             EngineKind.cases>;

def NPU_EngineAttr : EnumAttr<NPU_Dialect, NPU_Engine, "engine"> {
  let summary = "an engine of a cluster";
  let description = [{
    `dmai` moves DRAM to SRAM, `dmao` SRAM or ACC to DRAM, `mxu` multiplies matrices, `vpu` computes
    element-wise, `ctl` only synchronizes.

    Example: `#npu.engine<mxu>`.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def NPU_Placement : NPU_I32Enum<"Placement", "where a dispatch runs", [
  I32EnumAttrCase<"NPU", 0, "npu">,
  I32EnumAttrCase<"Host", 1, "host">
]>;

def NPU_PlacementAttr : EnumAttr<NPU_Dialect, NPU_Placement, "placement"> {
  let summary = "where a dispatch runs";
  let description = [{
    The attribute `npu.placement` of a function holds it.

    Example: `func.func @pool(…) attributes {npu.placement = #npu.placement<host>}`.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def NPU_ClusterAttr : NPU_Attr<"Cluster", "cluster"> {
  let summary = "how a kernel is split over clusters";
  let description = [{
    `dim` is the split parallel dimension of the root op's iteration domain, `count` the number of clusters.
    A cluster takes contiguous whole tiles: of T = ceil(extent / tile) tiles each gets ceil(T / count), the
    last ones fewer. Offsets and extents per cluster follow from that.

    Example: `#npu.cluster<dim = 1, count = 4>`.
  }];
  let parameters = (ins "int64_t":$dim, "int64_t":$count);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def NPU_ResidentAttr : NPU_Attr<"Resident", "resident"> {
  let summary = "which tensors of a kernel stay on chip among the kernels around it";
  let description = [{
    What `npu-choose-tiles` may assume of a kernel that will be linked with others: the `arguments` and
    `results` with these numbers are neither loaded from DRAM nor stored there, and take up `bytes` of each cluster's SRAM. Where
    clusters share the kernel, they share dimensions `dims` of its results, as they share those tensors; without `dims` any. Of the time for which the array
    waits for its first operands, kernels before it hide `hidden` percent: tiles may be larger then.
    `npu-keep-resident` later decides what does stay.

    Constraints:
    * resident_c1: `arguments`, `results` and `dims` are numbers in ascending order, and not negative;
    * resident_c2: `bytes` is not negative;
    * resident_c3: there are at most two `dims`;
    * resident_c4: `hidden` is from 0 to 100.

    Example: `#npu.resident<arguments = [0, 3], results = [0], hidden = 30, bytes = 100352, dims = [1]>`.
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"int64_t">:$arguments,
    OptionalArrayRefParameter<"int64_t">:$results,
    "int64_t":$bytes,
    OptionalArrayRefParameter<"int64_t">:$dims,
    DefaultValuedParameter<"int64_t", "0">:$hidden);
  let assemblyFormat = [{
    `<` (`arguments` `=` `[` $arguments^ `]` `,` ` `)? (`results` `=` `[` $results^ `]` `,` ` `)?
    (`hidden` `=` $hidden^ `,` ` `)? `bytes` `=` $bytes (`,` `dims` `=` `[` $dims^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

def NPU_LayoutAttr : NPU_Attr<"Layout", "layout"> {
  let summary = "which dimensions an operand of a contraction has, in which order";
  let description = [{
    One letter per dimension of the operand, the outermost first, no letter twice. What the letters mean, and which
    there are, says the op.

    Example: `#npu.layout<mk>`; that of a scalar is `#npu.layout<>`.
  }];
  let parameters = (ins StringRefParameter<"letters">:$letters);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

/// An operand's layout as an attribute of an op, whose accessor returns the letters.
def NPU_Layout : Attr<CPred<"::llvm::isa<::npu::LayoutAttr>($_self)">, "layout, as in #npu.layout<mk>"> {
  let storageType = "::npu::LayoutAttr";
  let returnType = "::llvm::StringRef";
  let convertFromStorage = "$_self.getLetters()";
  let constBuilderCall = "::npu::LayoutAttr::get($_builder.getContext(), $0)";
}

//===----------------------------------------------------------------------===//
// What passes decided about a kernel
//===----------------------------------------------------------------------===//

def NPU_TilingAttr : NPU_Attr<"Tiling", "tiling"> {
  let summary = "the tile of a kernel";
  let description = [{
    Elements of a tile along each dimension of the kernel's stages. Dimensions without a loop have all of theirs.

    Example: `#npu.tiling<m = 32, n = 64, k = 128>`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$dims, ArrayRefParameter<"int64_t">:$sizes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def NPU_PlannedBytesAttr : NPU_Attr<"PlannedBytes", "planned_bytes"> {
  let summary = "bytes that a cluster uses of each on-chip memory";
  let description = [{
    All buffers lie below.

    Example: `#npu.planned_bytes<sram = 49152, acc = 16384>`.
  }];
  let parameters = (ins "int64_t":$sram, "int64_t":$acc);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Kinds of element-wise operations
//===----------------------------------------------------------------------===//

/// A copy computes nothing and is an op of its own.
def NPU_UnaryKind : NPU_FromISA<"UnaryKind", "operation on one element",
                                !filter(c, UnaryKind.cases, !ne(c.name, "copy"))>;
def NPU_UnaryKindAttr : EnumAttr<NPU_Dialect, NPU_UnaryKind, "unary_kind">;

def NPU_BinaryKind : NPU_FromISA<"BinaryKind", "operation on two elements", BinaryKind.cases>;
def NPU_BinaryKindAttr : EnumAttr<NPU_Dialect, NPU_BinaryKind, "binary_kind">;

def NPU_ReduceKind : NPU_FromISA<"ReduceKind", "reduction", ReduceKind.cases>;
def NPU_ReduceKindAttr : EnumAttr<NPU_Dialect, NPU_ReduceKind, "reduce_kind">;

def NPU_ArgReduceKind : NPU_FromISA<"ArgReduceKind", "reduction to a position", ArgReduceKind.cases>;
def NPU_ArgReduceKindAttr : EnumAttr<NPU_Dialect, NPU_ArgReduceKind, "arg_reduce_kind">;

def NPU_SortOrder : NPU_I32Enum<"SortOrder", "which elements come first", [
  I32EnumAttrCase<"Ascending", 0, "ascending">,
  I32EnumAttrCase<"Descending", 1, "descending">
]>;
def NPU_SortOrderAttr : EnumAttr<NPU_Dialect, NPU_SortOrder, "sort_order">;

def NPU_CastKind : NPU_I32Enum<"CastKind", "conversion of an element", [
  I32EnumAttrCase<"ExtSI", 0, "extsi">,
  I32EnumAttrCase<"ExtUI", 1, "extui">,
  I32EnumAttrCase<"TruncI", 2, "trunci">,
  I32EnumAttrCase<"SIToFP", 3, "sitofp">,
  I32EnumAttrCase<"UIToFP", 4, "uitofp">,
  I32EnumAttrCase<"FPToSI", 5, "fptosi">,
  I32EnumAttrCase<"ExtF", 6, "extf">,
  I32EnumAttrCase<"TruncF", 7, "truncf">
]>;
def NPU_CastKindAttr : EnumAttr<NPU_Dialect, NPU_CastKind, "cast_kind">;

#endif // NPU_DIALECT_NPU_IR_NPUATTRIBUTES_TD
