//===- OutputFiles.h - files that appear together or not at all -----------===//

#ifndef NPU_RUNTIME_OUTPUTFILES_H
#define NPU_RUNTIME_OUTPUTFILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>
#include <vector>

namespace npu::runtime {

/// Files under temporary names beside their destinations, which they take on `commit`. Whatever was
/// not committed is removed: who is interrupted or fails leaves no partial output behind, and files
/// that were there before stay as they were. Destinations that are no regular files, such as pipes,
/// are written at once.
class OutputFiles {
public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;
  ~OutputFiles();

  /// Fails when a file could not be created at `path`; leaves nothing there.
  static llvm::Error check(llvm::StringRef path);

  /// A stream into the file that will replace `path`; stays open until `commit`.
  llvm::Expected<llvm::raw_ostream *> open(llvm::StringRef path);

  /// Makes `contents` those of `path`.
  llvm::Error write(llvm::StringRef path, llvm::StringRef contents);
  /// Adds `contents` at the end of what was written to `path` before, or else is there.
  llvm::Error append(llvm::StringRef path, llvm::StringRef contents);

  /// Creates a directory and those that it is in, unless they exist. Removed again without
  /// `commit`.
  llvm::Error createDirectory(llvm::StringRef path);

  /// Gives every file its name. When one could not be written in full, none appears.
  llvm::Error commit();

private:
  struct File {
    std::string path;      ///< as the caller knows it
    std::string target;    ///< with symbolic links followed
    std::string temporary; ///< empty for what is no regular file
    std::unique_ptr<llvm::raw_fd_ostream> stream;
  };

  llvm::Expected<File *> create(llvm::StringRef path);
  File *find(llvm::StringRef path);
  static llvm::Error close(File &file);

  std::vector<File> files;
  std::vector<std::string> directories; ///< created here, outer ones first
};

} // namespace npu::runtime

#endif // NPU_RUNTIME_OUTPUTFILES_H
