//===- Model.h - a program as the verifier sees it ------------------------===//
//
// Every instruction that is not a loop becomes a site: its enclosing loops, its extents, and the
// footprints of its operands as functions of the loop counters.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_TARGET_VERIFY_MODEL_H
#define NPU_LIB_TARGET_VERIFY_MODEL_H

#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/ISA/Program.h"
#include "NPU/Target/Verify/StridedBox.h"
#include "NPU/Target/Verify/Verify.h"

#include "llvm/Support/FormatVariadic.h"

namespace npu::verify {

/// Products of encodable numbers do not fit 64 bits.
__extension__ typedef __int128 Wide;

/// Trip counts of the enclosing loops, outermost first; 1 below the site's depth.
using Trips = std::array<int64_t, isa::maxLoopDepth>;

/// One dimension of an on-chip footprint.
struct ChipDim {
  unsigned extent;     ///< entry of the site's extents
  int64_t stride;      ///< bytes per index
  int64_t divisor = 1; ///< elements per index; indices = ceil(extent / divisor)
};

/// What an instruction does to one memory by one operand.
struct Access {
  llvm::StringRef operand;
  unsigned memory = 0; ///< see Model::describeMemory
  bool writes = false;
  uint8_t gates = 0;                  ///< extents that must all be positive, or nothing is touched
  int64_t elementBytes = 1;           ///< alignment
  int64_t runBytes = 1;               ///< contiguous bytes of the innermost index
  const isa::Address *chip = nullptr; ///< address on chip, or
  const isa::Affine *boxBase = nullptr; ///< byte of coordinate 0 of a tensor, in any memory
  llvm::ArrayRef<isa::BoxDim> box;      ///< dimensions of that; its extents are 0, 1, …
  llvm::SmallVector<ChipDim, isa::maxDmaDims> dims; ///< dimensions of the on-chip side
};

/// An instruction that runs.
struct Site {
  unsigned stream = 0, index = 0; ///< place in the program
  const isa::Instruction *instruction = nullptr;
  const isa::Sync *sync = nullptr; ///< null for `halt`
  unsigned depth = 0;              ///< enclosing loops
  Trips trips{};
  llvm::SmallVector<const isa::Extent *, 6> extents;
  llvm::SmallVector<Access, 3> accesses;
  /// The box of a gather with all its rows; an access refers to it.
  std::unique_ptr<llvm::SmallVector<isa::BoxDim, 0>> chosenBox;
};

/// A strided box as evaluated, not yet in normal form.
struct RawBox {
  int64_t base = 0;
  int64_t run = 0;
  llvm::SmallVector<Stride, 12> dims;
};

struct Model {
  const isa::Program &program;
  TargetDesc target;
  std::vector<Site> sites; ///< in program order

  /// Fails when the program is not well formed.
  static llvm::Expected<Model> build(const isa::Program &program);

  unsigned chipMemory(int64_t cluster, isa::MemorySpace space) const {
    return unsigned(cluster) * 2 + unsigned(space);
  }
  unsigned dramMemory(int64_t region) const { return unsigned(target.clusters * 2 + region); }
  unsigned getNumMemories() const { return dramMemory(int64_t(program.regions.size())); }
  int64_t getMemoryBytes(unsigned memory) const;
  /// `cluster 0 sram` or `region 'out'`.
  std::string describeMemory(unsigned memory) const;
  /// Stream, instruction, mnemonic and source; with `counters` also those of the enclosing loops.
  std::string describe(const Site &site, const isa::Counters *counters = nullptr) const;
};

/// `rule: message` about the instruction.
template <typename... Ts>
VerifyError makeFault(const Site &site, llvm::StringRef rule, const char *format, Ts &&...values) {
  return VerifyError((rule + ": " + llvm::formatv(format, std::forward<Ts>(values)...).str()).str(),
                     site.stream, site.index);
}

/// The same as an error.
template <typename... Ts>
llvm::Error makeError(const Site &site, llvm::StringRef rule, const char *format, Ts &&...values) {
  return llvm::make_error<VerifyError>(makeFault(site, rule, format, std::forward<Ts>(values)...));
}

/// Most and least value over all iterations.
Wide getMax(const isa::Affine &affine, const Trips &trips);
Wide getMin(const isa::Affine &affine, const Trips &trips);
/// Most elements over all iterations.
int64_t getMaxExtent(const isa::Extent &extent, const Trips &trips);

/// Values of the site's extents at these counters.
using ExtentValues = std::array<int64_t, 8>;
ExtentValues evaluateExtents(const Site &site, const isa::Counters &counters);

/// Whether the access happens with these extents.
inline bool isOpen(const Access &access, const ExtentValues &extents) {
  for (unsigned gates = access.gates; gates; gates &= gates - 1)
    if (extents[llvm::countr_zero(gates)] == 0)
      return false;
  return true;
}

/// The boxes an open access touches; none when its DRAM side lies outside every window. One box
/// unless blocks of a joined dimension are cut by their window. Returns false when the boxes are
/// more than what is touched.
bool evaluateAccess(const Access &access, const ExtentValues &extents,
                    const isa::Counters &counters, llvm::SmallVectorImpl<RawBox> &boxes);

/// A box that holds what the access touches in any iteration; nullopt when it never happens.
std::optional<RawBox> getWholeLoopBox(const Site &site, const Access &access);

/// The coordinates [begin, end) of a DRAM dimension over all iterations, clipped to its window.
std::pair<Wide, Wide> getCoordinates(const Site &site, const Access &access, unsigned dim);

} // namespace npu::verify

#endif // NPU_LIB_TARGET_VERIFY_MODEL_H
