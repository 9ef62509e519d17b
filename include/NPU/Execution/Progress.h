//===- Progress.h - how far a long run has come -----------------*- C++ -*-===//

#ifndef NPU_EXECUTION_PROGRESS_H
#define NPU_EXECUTION_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace npu::runtime {

/// One line of a terminal that is written over and over: what the tool is doing, how much of it is
/// done, and how long the rest may take. It appears when the work has taken a second, and changes a
/// few times a second.
class Progress {
public:
  using Clock = std::function<std::chrono::milliseconds()>;

  /// `os` is the terminal. The clock is the machine's, unless a test gives another.
  explicit Progress(llvm::raw_ostream &os, Clock clock = nullptr);
  ~Progress() { clear(); }

  /// Work of unknown extent begins, such as compiling; it is shown at once.
  void beginPhase(llvm::StringRef what);
  /// Work of `total` units begins, such as the predicted cycles of all programs.
  void begin(llvm::StringRef what, int64_t total);
  /// So many units of it are done: in the part that is under way, after what was finished.
  void advance(int64_t units);
  /// The part that was under way is over, after so many units.
  void finishPart(int64_t units);
  /// Removes the line, for other output. It comes back.
  void clear();

private:
  void show(llvm::StringRef text);

  llvm::raw_ostream &os;
  Clock clock;
  std::chrono::milliseconds start, phaseStart, shown{};
  std::string what;
  int64_t total = 0, finished = 0;
  bool isVisible = false;
};

} // namespace npu::runtime

#endif // NPU_EXECUTION_PROGRESS_H
