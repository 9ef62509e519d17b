//===- TaskGraph.h - a compiled model as buffers and tasks ----------------===//
//
// What `npu-translate --mlir-to-npu-json` writes and a runtime reads: every buffer with its place
// in DRAM, every task with its operands and what it waits for, and the code of the tasks. Knows
// nothing of MLIR. docs/task-graph.md describes the file.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TASKGRAPH_TASKGRAPH_H
#define NPU_TASKGRAPH_TASKGRAPH_H

#include "NPU/Target/ISA/Program.h"
#include "NPU/Tensor/HostTensor.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace npu::taskgraph {

/// Changes whenever a reader of the old version would misread the new one.
inline constexpr int64_t formatVersion = 4;

/// Every buffer starts at a multiple of this many bytes, and so does every part of the side file.
inline constexpr int64_t bufferAlignment = 64;

/// Where a buffer lies and who provides its contents.
enum class MemoryRegion : uint8_t {
  Constants,     ///< read-only, an image in the side file
  Parameters,    ///< read-only, named, given by the caller before the first task
  Inputs,        ///< read-only, given by the caller for every run
  Outputs,       ///< undefined before the first task, read by the caller after the last one
  Intermediates, ///< undefined before the first task; buffers share its bytes
  State,         ///< kept from run to run, before the first one an image in the side file
};
inline constexpr unsigned numMemoryRegions = 6;
llvm::StringRef toString(MemoryRegion region);

/// A dense row-major tensor in DRAM.
struct Buffer {
  std::string name;
  runtime::ElementType dtype = runtime::ElementType::I8;
  std::vector<int64_t> shape;
  int64_t bytes = 0;
  MemoryRegion region = MemoryRegion::Intermediates;
  int64_t offset = 0; ///< in bytes from the start of the region
  /// Tasks during which the contents matter: [begin, end) in execution order.
  int64_t begin = 0, end = 0;
  /// The buffer of which this is another view: same bytes, other type or shape.
  std::optional<unsigned> aliasOf;
};

/// Bytes of the side file.
struct FileRange {
  int64_t offset = 0, bytes = 0;
};

struct TileSize {
  std::string dim; ///< as the tile search names it, e.g. `m`
  int64_t size = 0;
};

/// A region of a program's DRAM, to which launches bind buffers.
struct ProgramRegion {
  std::string name;
  isa::RegionKind kind = isa::RegionKind::Scratch;
  int64_t bytes = 0;
};

struct ProgramStream {
  int64_t cluster = 0;
  isa::EngineKind engine = isa::EngineKind::Ctl;
  int64_t instructions = 0;
};

/// Lower bounds, see runtime::Limit.
struct Limits {
  int64_t computeCycles = 0, dramBytes = 0, dramCycles = 0, cutCycles = 0;
};

/// What a program does for one dispatch.
struct ProgramKernel {
  std::string name; ///< what it computes, for people
  int64_t macs = 0;
  std::vector<TileSize> tile;
  /// The number of the first dispatch of the program that shares its kernel.
  unsigned kernel = 0;
  /// The kernel's, in the entry of its first dispatch.
  int64_t peakMacRate = 0;
  Limits limits;
  /// Entries of the code's source table that its instructions have; empty if it is the only kernel.
  std::vector<unsigned> sources;
};

/// NPU code, in the binary format of docs/binary.md.
struct Program {
  std::string name;
  FileRange code;
  /// Of one launch in the simulator, or what the tile search predicts of a very long program.
  std::optional<int64_t> expectedCycles;
  int64_t sramBytes = 0, accBytes = 0; ///< that one cluster uses
  std::vector<ProgramKernel> kernels;  ///< in the order in which they start
  std::vector<ProgramRegion> regions;
  std::vector<ProgramStream> streams;
};

/// Native code for what the NPU does not run: `void symbol(void *const *buffers)` on the addresses
/// of the buffers that it reads, then of those that it writes.
struct HostFunction {
  std::string name;
  std::string triple; ///< of the object file
  std::string symbol;
  FileRange code; ///< a relocatable object file
  int64_t macs = 0;
  std::vector<std::string> reasons; ///< why the NPU does not run it
  unsigned numReads = 0, numWrites = 0;
};

enum class TaskKind : uint8_t {
  Prepare, ///< make a program ready to be launched
  Launch,  ///< run a program on the NPU
  Host,    ///< call a host function
  Copy,    ///< copy a box
  Fill,    ///< repeat an element
  Compute, ///< compute an integer of others
  Branch,  ///< run one of two blocks of tasks
  Loop,    ///< run blocks of tasks until a condition is false
};
inline constexpr unsigned numTaskKinds = 8;
llvm::StringRef toString(TaskKind kind);

/// What a Compute task does. Operands are signed, but those of one bit, which are 0 or 1; results
/// that overflow wrap around.
enum class ScalarOp : uint8_t {
  Add,
  Sub,
  Mul,
  And,
  Or,
  Xor,
  Min,
  Max,
  Equal, ///< this and the next three: 1 if it holds, else 0
  NotEqual,
  Less,
  LessEqual,
  Select,  ///< the second operand if the first is 1, else the third
  Convert, ///< the operand, cut off or extended
};
inline constexpr unsigned numScalarOps = 14;
llvm::StringRef toString(ScalarOp op);
unsigned getNumOperands(ScalarOp op);
/// Whether the result is of one bit whatever the operands are.
inline bool isComparison(ScalarOp op) { return op >= ScalarOp::Equal && op <= ScalarOp::LessEqual; }

/// A part of an offset that data gives: an integer, times `stride` bytes.
struct OffsetTerm {
  unsigned buffer = 0;
  int64_t stride = 0;
};

/// One side of a copy: element (i, j, ..) is at `offset + i * strides[0] + j * strides[1] + ..`, in
/// bytes from the start of the buffer, further on by `terms`.
struct CopySide {
  unsigned buffer = 0;
  int64_t offset = 0;
  std::vector<int64_t> strides;
  std::vector<OffsetTerm> terms = {};
};

struct Task {
  TaskKind kind = TaskKind::Copy;
  std::string name;     ///< what it computes, for people
  std::string location; ///< `file:line:column` in the compiler's input; may be empty
  /// Earlier tasks that must have finished. What these wait for is not repeated.
  std::vector<unsigned> waitsFor;

  std::vector<unsigned> dispatches;  ///< Launch: number of the dispatch by kernel; Host: of its one
  unsigned code = 0;                 ///< Prepare, Launch: a program; Host: a host function
  std::vector<unsigned> bindings;    ///< Launch: a buffer per region of the program
  std::vector<unsigned> reads;       ///< Host: buffers
  std::vector<unsigned> writes;      ///< Host: buffers
  CopySide source, target;           ///< Copy
  std::vector<int64_t> extents;      ///< Copy: bytes of the last dimension, elements of the others
  unsigned filled = 0;               ///< Fill: a buffer
  std::vector<uint8_t> pattern;      ///< Fill: the bytes of one element
  ScalarOp scalarOp = ScalarOp::Add; ///< Compute
  std::vector<unsigned> operands;    ///< Compute: buffers of one integer each
  unsigned result = 0;               ///< Compute: a buffer of one integer
  unsigned condition = 0;            ///< Branch, Loop: a buffer of one i1
  /// Branch: tasks of the block for a condition that holds, and of the other one. Loop: of the
  /// block that computes the condition, and of the one that runs then, before the first again. They
  /// follow the task; those of blocks in blocks are counted.
  std::array<unsigned, 2> blockSizes = {};
};

/// An input, an output or a parameter of the model.
struct Port {
  std::string scope; ///< of a parameter
  std::string name;
  unsigned buffer = 0;
};

struct TaskGraph {
  std::string name;   ///< of the model's function
  std::string target; ///< specification, see parseTarget
  std::vector<Buffer> buffers;
  std::vector<Port> inputs, outputs, parameters;
  std::vector<Program> programs;
  std::vector<HostFunction> hostFunctions;
  std::vector<Task> tasks; ///< in an order in which they may run one after the other
  /// Limits of all launches as one program; nothing where data decide how many there are.
  std::optional<Limits> limits;
  std::array<int64_t, numMemoryRegions> regionBytes = {};
  /// The most bytes of intermediates that live at once, each rounded up to the alignment: no plan
  /// needs less.
  int64_t liveSetBytes = 0;
  FileRange constants;           ///< the image of the region Constants
  FileRange state;               ///< what the region State begins with
  std::vector<uint8_t> sideFile; ///< constants, programs, objects
  std::string sideFileName;      ///< relative to the JSON file
  std::string sideFileSha256;    ///< in lower-case hexadecimal digits

  int64_t &getRegionBytes(MemoryRegion region) { return regionBytes[unsigned(region)]; }
  int64_t getRegionBytes(MemoryRegion region) const { return regionBytes[unsigned(region)]; }
  /// The buffer whose bytes `buffer` views; itself if it is not a view.
  unsigned getRoot(unsigned buffer) const { return buffers[buffer].aliasOf.value_or(buffer); }
  llvm::ArrayRef<uint8_t> getFile(FileRange range) const {
    return llvm::ArrayRef(sideFile).slice(range.offset, range.bytes);
  }
  /// Appends to the side file, aligned.
  FileRange addToFile(llvm::ArrayRef<uint8_t> bytes);
};

/// Tasks [first, end).
struct TaskRange {
  unsigned first = 0, end = 0;
};

inline bool hasBlocks(const Task &task) {
  return task.kind == TaskKind::Branch || task.kind == TaskKind::Loop;
}
/// The blocks of task `number`; empty for one that has none.
std::array<TaskRange, 2> getBlocks(const TaskGraph &graph, unsigned number);
/// The task behind `number` and all that its blocks hold.
unsigned getEnd(const TaskGraph &graph, unsigned number);
/// The tasks of a block without those of blocks in it.
std::vector<unsigned> getBlockTasks(const TaskGraph &graph, TaskRange block);
/// All blocks, outer ones before inner ones, the first of which is the graph itself.
std::vector<TaskRange> getAllBlocks(const TaskGraph &graph);

/// A use of a buffer by a task.
struct Access {
  unsigned buffer = 0;
  bool isRead = false, isWrite = false;
};

/// Everything that a task of `graph` reads and writes, in the order of its operands, and what the
/// tasks of its blocks do. Its indices must be valid.
std::vector<Access> getAccesses(const TaskGraph &graph, const Task &task);

/// Gives every buffer its offset and its lifetime, and every task the tasks that it waits for.
/// Buffers of region Intermediates may share bytes if their lifetimes do not overlap.
void plan(TaskGraph &graph);

/// Checks what a runtime relies on: indices exist, buffers lie in their regions, those that live at
/// the same time do not overlap, and every two tasks that touch the same bytes, one of them
/// writing, are ordered by `waitsFor`. Messages name the path in the JSON file.
llvm::Error verify(const TaskGraph &graph);

/// Writes `path` and, beside it, the side file, whose name is `path` with `.json` replaced by
/// `.bin`. Either both are written or, on an error, neither.
llvm::Error writeTaskGraph(TaskGraph &graph, llvm::StringRef path);

/// Reads and verifies what writeTaskGraph wrote.
llvm::Expected<TaskGraph> readTaskGraph(llvm::StringRef path);

} // namespace npu::taskgraph

#endif // NPU_TASKGRAPH_TASKGRAPH_H
