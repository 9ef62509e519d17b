//===- TargetBase.td - what describes a chip ------------------------------===//
//
// A parameter is declared twice on purpose: as a field of Target, so that records set it by name, and
// as a Parameter with its unit, range and meaning. npu-tblgen reports a parameter that lacks either.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_DESC_TARGETBASE_TD
#define NPU_TARGET_DESC_TARGETBASE_TD

class Parameter<string identifier, string unitName, int least, int most, string description> {
  string name = identifier;
  string unit = unitName;
  int min = least;
  int max = most;
  string summary = description;
  // A chip may leave it out; 0 means that it is unknown. No instruction of a program depends on it.
  bit isOptional = 0;
  // Values have this many decimals: with 3, a record says 250 for 0.25.
  int decimals = 0;
}

/// A physical figure: it turns cycles and bytes into time and energy. `most` is in thousandths.
class PhysicalParameter<string identifier, string unitName, int most, string description>
    : Parameter<identifier, unitName, 0, most, description> {
  let isOptional = 1;
  let decimals = 3;
}

def : Parameter<"clusters", "clusters", 1, 8, "clusters; each has its own memories and engines">;
def : Parameter<"sramBytes", "bytes", 1024, 8388608, "SRAM of a cluster">;
def : Parameter<"accBytes", "bytes", 256, 8388608, "accumulator memory of a cluster">;
def : Parameter<"dramBytesPerCycle", "bytes/cycle", 1, 4096, "DRAM bandwidth, shared by all DMA engines; also the size of a beat">;
def : Parameter<"dramLatencyCycles", "cycles", 0, 100000, "from a DMA's start to its first byte">;
def : Parameter<"dmaElementsPerCycle", "elements/cycle", 1, 4096, "on-chip side of a DMA engine">;
def : Parameter<"dmaOutstanding", "transfers", 1, 16, "that a DMA engine may have under way: the latency of one passes while others move">;
def : Parameter<"issueCycles", "cycles", 0, 1000, "overhead of issuing an instruction">;
def : Parameter<"macRows", "rows", 1, 512, "rows of the systolic array: elements of the sum">;
def : Parameter<"macCols", "columns", 1, 512, "columns of the systolic array: output columns">;
def : Parameter<"macsPerCycleI8", "MAC/cycle", 0, 262144, "i8 x i8 rate, 0 = not supported">;
def : Parameter<"macsPerCycleI16I8", "MAC/cycle", 0, 262144, "i16 x i8 rate, 0 = not supported">;
def : Parameter<"macsPerCycleF16", "MAC/cycle", 0, 262144, "f16 and bf16 rate, 0 = not supported">;
def : Parameter<"macsPerCycleF32", "MAC/cycle", 0, 262144, "f32 rate, 0 = not supported">;
def : Parameter<"macPipelined", "0 or 1", 0, 1, "an array instruction fills the array while its predecessor drains">;
def : Parameter<"vpuLanes", "elements/cycle", 1, 4096, "vector lanes">;
def : Parameter<"vpuFloat", "0 or 1", 0, 1, "the vector unit has float operations and types">;
def : PhysicalParameter<"clockMHz", "MHz", 100000000, "clock of the whole chip; with it, reports have seconds">;
def : PhysicalParameter<"pJPerByteDram", "pJ/byte", 1000000000, "energy of a byte that moves from or to DRAM">;
def : PhysicalParameter<"pJPerMacI8", "pJ/MAC", 1000000000, "energy of a multiplication of i8 x i8 and its addition">;
def : PhysicalParameter<"pJPerMacI16I8", "pJ/MAC", 1000000000, "the same of i16 x i8">;
def : PhysicalParameter<"pJPerMacF16", "pJ/MAC", 1000000000, "the same of f16 or bf16">;
def : PhysicalParameter<"pJPerMacF32", "pJ/MAC", 1000000000, "the same of f32">;
def : PhysicalParameter<"pJPerVectorElement", "pJ/element", 1000000000, "energy of an element that a vector instruction computes">;
def : PhysicalParameter<"mWStatic", "mW", 1000000000, "power that the chip draws whatever it does; needs the clock">;

/// What a target must satisfy beyond the ranges of its parameters, as a record and after overrides.
/// No parameter is larger than the product of the factors: `has <parameter> = <value> <unit>, but
/// <owner> <product> <things> (<factors>)`.
class AtMostProduct<list<string> names, list<string> of, string has, string what> {
  list<string> parameters = names;
  list<string> factors = of;
  string owner = has;
  string things = what;
}
/// Some parameter is positive.
class SomePositive<list<string> names, string message> {
  list<string> parameters = names;
  string otherwise = message;
}

defvar macRates = ["macsPerCycleI8", "macsPerCycleI16I8", "macsPerCycleF16", "macsPerCycleF32"];
def : AtMostProduct<macRates, ["macRows", "macCols"], "its array has", "cells">;
def : SomePositive<macRates, "supports no operand type on its array">;

class Target<string identifier, string description> {
  string name = identifier;
  string summary = description;
  int clusters = ?;
  int sramBytes = ?;
  int accBytes = ?;
  int dramBytesPerCycle = ?;
  int dramLatencyCycles = ?;
  int dmaElementsPerCycle = ?;
  int dmaOutstanding = 1;
  int issueCycles = ?;
  int macRows = ?;
  int macCols = ?;
  int macsPerCycleI8 = ?;
  int macsPerCycleI16I8 = ?;
  int macsPerCycleF16 = ?;
  int macsPerCycleF32 = ?;
  int macPipelined = 0;
  int vpuLanes = ?;
  int vpuFloat = ?;
  int clockMHz = 0;
  int pJPerByteDram = 0;
  int pJPerMacI8 = 0;
  int pJPerMacI16I8 = 0;
  int pJPerMacF16 = 0;
  int pJPerMacF32 = 0;
  int pJPerVectorElement = 0;
  int mWStatic = 0;
}

#endif // NPU_TARGET_DESC_TARGETBASE_TD
