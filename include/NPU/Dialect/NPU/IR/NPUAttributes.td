//===- NPUAttributes.td - attributes of the npu dialect ----*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUATTRIBUTES_TD
#define NPU_DIALECT_NPU_IR_NPUATTRIBUTES_TD

include "NPU/Dialect/NPU/IR/NPUDialect.td"
include "NPU/Dialect/NPU/IR/NPUSchedule.td"
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

//===----------------------------------------------------------------------===//
// Target and places
//===----------------------------------------------------------------------===//

def NPU_TargetAttr : NPU_Attr<"Target", "target"> {
  let summary = "an NPU, by the name of its record";
  let description = [{
    Names the record that describes the chip. Passes look the record up; the attribute carries nothing else,
    so IR stays short and any name parses.

    Example: `#npu.target<"npu-v1">`.
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

def NPU_Engine : NPU_I32Enum<"Engine", "an engine of a cluster, with its own in-order stream", [
  I32EnumAttrCase<"DmaIn", 0, "dmai">,
  I32EnumAttrCase<"DmaOut", 1, "dmao">,
  I32EnumAttrCase<"Mxu", 2, "mxu">,
  I32EnumAttrCase<"Vpu", 3, "vpu">,
  I32EnumAttrCase<"Ctl", 4, "ctl">
]>;

def NPU_EngineAttr : EnumAttr<NPU_Dialect, NPU_Engine, "engine"> {
  let summary = "an engine of a cluster";
  let description = [{
    `dmai` moves DRAM to SRAM, `dmao` SRAM or ACC to DRAM, `mxu` multiplies matrices, `vpu` computes
    element-wise, `ctl` only synchronises.

    Example: `#npu.engine<mxu>`.
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

//===----------------------------------------------------------------------===//
// Kinds of element-wise operations
//===----------------------------------------------------------------------===//

def NPU_UnaryKind : NPU_I32Enum<"UnaryKind", "operation on one element", [
  I32EnumAttrCase<"Neg", 0, "neg">,
  I32EnumAttrCase<"Abs", 1, "abs">,
  I32EnumAttrCase<"Not", 2, "not">,
  I32EnumAttrCase<"Exp", 3, "exp">,
  I32EnumAttrCase<"Log", 4, "log">,
  I32EnumAttrCase<"Tanh", 5, "tanh">,
  I32EnumAttrCase<"Sigmoid", 6, "sigmoid">,
  I32EnumAttrCase<"Erf", 7, "erf">,
  I32EnumAttrCase<"Sqrt", 8, "sqrt">,
  I32EnumAttrCase<"Rsqrt", 9, "rsqrt">,
  I32EnumAttrCase<"Reciprocal", 10, "reciprocal">,
  I32EnumAttrCase<"Floor", 11, "floor">,
  I32EnumAttrCase<"Ceil", 12, "ceil">,
  I32EnumAttrCase<"RoundEven", 13, "roundeven">
]>;
def NPU_UnaryKindAttr : EnumAttr<NPU_Dialect, NPU_UnaryKind, "unary_kind">;

def NPU_BinaryKind : NPU_I32Enum<"BinaryKind", "operation on two elements", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Sub", 1, "sub">,
  I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"Div", 3, "div">,
  I32EnumAttrCase<"Min", 4, "min">,
  I32EnumAttrCase<"Max", 5, "max">,
  I32EnumAttrCase<"And", 6, "and">,
  I32EnumAttrCase<"Or", 7, "or">,
  I32EnumAttrCase<"Xor", 8, "xor">,
  I32EnumAttrCase<"Shl", 9, "shl">,
  I32EnumAttrCase<"Shr", 10, "shr">,
  I32EnumAttrCase<"ShrU", 11, "shru">,
  I32EnumAttrCase<"CmpEq", 12, "cmpeq">,
  I32EnumAttrCase<"CmpNe", 13, "cmpne">,
  I32EnumAttrCase<"CmpLt", 14, "cmplt">,
  I32EnumAttrCase<"CmpLe", 15, "cmple">,
  I32EnumAttrCase<"CmpGt", 16, "cmpgt">,
  I32EnumAttrCase<"CmpGe", 17, "cmpge">
]>;
def NPU_BinaryKindAttr : EnumAttr<NPU_Dialect, NPU_BinaryKind, "binary_kind">;

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
