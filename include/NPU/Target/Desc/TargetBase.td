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
}

#endif // NPU_TARGET_DESC_TARGETBASE_TD
