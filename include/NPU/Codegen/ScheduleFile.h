//===- ScheduleFile.h - the schedule of a network as a file ---------------===//
//
// All that is chosen of a network: which dispatches of a segment share a kernel, and of each kernel
// how it is rewritten and its schedule. A run that finds no file writes what it chose; one that
// finds it follows it, and searches what the file does not say. See docs/schedules.md.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_CODEGEN_SCHEDULEFILE_H
#define NPU_CODEGEN_SCHEDULEFILE_H

#include "NPU/Dialect/NPU/Transforms/ScheduleChoice.h"
#include "NPU/Support/OutputFiles.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace npu {

class ScheduleFile {
public:
  /// Reads `path` if there is such a file. It must be one for `target`, a specification.
  static llvm::Expected<std::unique_ptr<ScheduleFile>> open(llvm::StringRef path,
                                                            llvm::StringRef target);

  /// The same of a file's text; empty: there is none. `name` stands for it in messages.
  static llvm::Expected<std::unique_ptr<ScheduleFile>>
  parse(llvm::StringRef text, llvm::StringRef name, llvm::StringRef target);

  /// Whether there was a file, which is followed.
  bool isFollowed() const { return isRead; }
  /// Adds the file, unless there was one.
  llvm::Error write(OutputFiles &files) const;
  /// The file as text: what was read, or what was chosen.
  llvm::Expected<std::string> print() const;
  /// `followed 'f.json': 12 kernels`
  std::string describe() const;

  //===--------------------------------------------------------------------===//
  // For the compiler
  //===--------------------------------------------------------------------===//

  /// What a kernel in tensor form says, without its name, locations and large constants, as a hash
  /// that is the same in every process.
  static std::string getKey(KernelOp kernel);

  /// Keeps in mind what the search chose.
  void note(KernelOp kernel, Rewriting rewriting, ScheduleAttr schedule);

  /// Gives a kernel that stands alone what the file says of it; leaves it alone if that is nothing.
  /// What the user changed is compiled by itself, which gives its cycles, and its errors a place.
  mlir::LogicalResult apply(mlir::OwningOpRef<KernelOp> &kernel);

  /// A program has this kernel, which is in tensor form and not rewritten. Returns its key.
  std::string use(KernelOp kernel);

  /// A dispatch of a segment.
  struct Dispatch {
    unsigned number;
    std::string name;
  };
  /// How many dispatches each window of a segment has; empty if the file does not say.
  llvm::Expected<llvm::SmallVector<size_t>> getWindows(llvm::ArrayRef<Dispatch> segment);
  /// Of the time that the segment's loops leave DRAM idle, the percent in which they load operands
  /// of later ones; 0 if the file does not say.
  int64_t getPrefetch(llvm::ArrayRef<Dispatch> segment) const;
  /// Keeps in mind how a segment is divided, its kernels, and what it prefetches.
  void addSegment(llvm::ArrayRef<Dispatch> segment, llvm::ArrayRef<size_t> windows,
                  llvm::ArrayRef<std::string> keys, int64_t prefetch);

  /// Whether some kernel of the file was not asked for.
  bool hasUnusedKernels() const;
  /// An error that names a part of the file that was not used and is not of this model: a kernel,
  /// known by its key, or a segment, known by the number of its first dispatch.
  llvm::Error checkUse(llvm::function_ref<bool(llvm::StringRef key)> isKernel,
                       llvm::function_ref<bool(unsigned first)> isSegment) const;
  /// Names the file and what of it an error is about.
  std::string describeEntry(llvm::StringRef what) const;

private:
  /// A kernel of the file.
  struct Entry {
    unsigned number = 0;
    std::string name, key;
    Rewriting rewriting;
    std::string schedule; ///< without cycles
    int64_t cycles = 0;
    std::string chosen; ///< what was written, as a hash: tells whether somebody changed it
    bool isUsed = false, isParsed = false;
    ScheduleAttr resolved; ///< with cycles; null until it is needed
  };
  /// What the search chose.
  struct Choice {
    Rewriting rewriting;
    ScheduleAttr schedule;
  };
  struct Segment {
    std::vector<std::vector<Dispatch>> windows;
    std::vector<std::string> keys; ///< of the windows' kernels; not read
    bool isUsed = false;
    int64_t prefetch = 0; ///< percent

    const Dispatch &getFirst() const { return windows.front().front(); }
    std::vector<Dispatch> getDispatches() const;
  };

  ScheduleFile(llvm::StringRef path, llvm::StringRef target)
      : path(path.str()), target(target.str()) {}
  /// The segment of these dispatches, by their numbers; null without one.
  const Segment *findSegment(llvm::ArrayRef<Dispatch> dispatches) const;
  llvm::Error read(llvm::StringRef contents);
  bool readEntry(const llvm::json::Value &value, llvm::json::Path path);
  bool readSegment(const llvm::json::Value &value, llvm::json::Path path);
  mlir::LogicalResult resolve(Entry &entry, KernelOp kernel,
                              mlir::OwningOpRef<KernelOp> &scheduled) const;
  static std::string getDigest(Rewriting rewriting, llvm::StringRef schedule, int64_t cycles);

  std::string path, target;
  std::string text; ///< that was read
  bool isRead = false;
  std::vector<Entry> entries;
  llvm::StringMap<unsigned> entryOfKey;
  std::vector<Segment> segments; ///< of the file, or of the model if there is no file
  std::map<std::string, Choice> choices;
  llvm::MapVector<std::string, std::string, std::map<std::string, unsigned>> used; ///< name by key
};

} // namespace npu

#endif // NPU_CODEGEN_SCHEDULEFILE_H
