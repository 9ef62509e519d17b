//===- OutputFiles.h - files that appear when all are complete -----------===//

#ifndef NPU_SUPPORT_OUTPUTFILES_H
#define NPU_SUPPORT_OUTPUTFILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>
#include <vector>

namespace npu {

/// From now on, no output of this process takes the place of this file. With `isReplaceable`, an
/// output does that the user named as one that may (Inputs::Replace), but none whose name is made
/// up, such as a side file's.
void protectInput(llvm::StringRef path, bool isReplaceable = false);

/// Files under temporary names beside their destinations, which they take on `commit`, one after
/// the other. Whatever was not committed is removed: who is interrupted or fails leaves no partial
/// output behind, and files that were there before stay as they were. Destinations other than
/// regular files, such as pipes, are written at once, and so are `-`, the standard output, and what
/// is open already, such as
/// `/dev/stdout`. To write another file of the name of one that exists is an error: it would be
/// lost.
class OutputFiles {
public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;
  ~OutputFiles();

  /// Whether an output may take the place of a replaceable input.
  enum class Inputs { Keep, Replace };

  /// Fails when a file could not be created at `path`; leaves nothing there.
  static llvm::Error check(llvm::StringRef path, Inputs inputs = Inputs::Keep);

  /// A stream into the file that will replace `path`; stays open until `commit`.
  llvm::Expected<llvm::raw_ostream *> open(llvm::StringRef path, Inputs inputs = Inputs::Keep);

  /// Makes `contents` those of `path`.
  llvm::Error write(llvm::StringRef path, llvm::StringRef contents, Inputs inputs = Inputs::Keep);
  /// Adds `contents` at the end of what was written to `path` before, or else is there.
  llvm::Error append(llvm::StringRef path, llvm::StringRef contents, Inputs inputs = Inputs::Keep);

  /// Creates a directory and those that it is in, unless they exist. Removed again without
  /// `commit`.
  llvm::Error createDirectory(llvm::StringRef path);

  /// Gives every file its name. When one could not be written in full, none appears; when one
  /// cannot be given its name, as its directory is gone, those before it have theirs.
  llvm::Error commit();

private:
  struct File {
    std::string path; ///< as the caller knows it
    Inputs inputs;
    std::string target;    ///< absolute, with symbolic links followed
    std::string temporary; ///< empty unless it is a regular file
    llvm::raw_fd_ostream *stream = nullptr;
    std::unique_ptr<llvm::raw_fd_ostream> ownedStream; ///< empty for the standard output
  };

  /// `isRest`: takes the place of a file of this object that has its beginning.
  llvm::Expected<File *> create(llvm::StringRef path, Inputs inputs, bool isRest = false);
  llvm::Error write(File &file, llvm::StringRef contents);
  File *find(llvm::StringRef path);
  static llvm::Error close(File &file);
  static llvm::Error checkInputs(const File &file);

  std::vector<File> files;
  std::vector<std::string> directories; ///< created here, outer ones first
};

} // namespace npu

#endif // NPU_SUPPORT_OUTPUTFILES_H
