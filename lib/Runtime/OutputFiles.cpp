//===- OutputFiles.cpp - files that appear together or not at all ---------===//

#include "NPU/Runtime/OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

using namespace llvm;
using namespace npu::runtime;

static Error cannotWrite(StringRef path, std::error_code error) {
  return createStringError("cannot write '" + path + "': " + error.message());
}

OutputFiles::~OutputFiles() {
  for (File &file : files) {
    if (file.stream) {
      file.stream->close();
      file.stream->clear_error();
    }
    if (!file.temporary.empty()) {
      sys::fs::remove(file.temporary);
      sys::DontRemoveFileOnSignal(file.temporary);
    }
  }
  for (const std::string &directory : reverse(directories))
    sys::fs::remove(directory);
}

OutputFiles::File *OutputFiles::find(StringRef path) {
  // The latest one replaces the others.
  for (File &file : reverse(files))
    if (file.path == path)
      return &file;
  return nullptr;
}

Error OutputFiles::close(File &file) {
  if (!file.stream)
    return Error::success();
  file.stream->close();
  std::error_code error = file.stream->error();
  file.stream->clear_error();
  file.stream.reset();
  return error ? cannotWrite(file.path, error) : Error::success();
}

Expected<OutputFiles::File *> OutputFiles::create(StringRef path) {
  File file;
  file.path = path.str();
  SmallString<128> target;
  // Replacing a symbolic link by a file is not what who made the link expects.
  if (sys::fs::real_path(path, target))
    target = path;
  file.target = target.str().str();

  sys::fs::file_status status;
  bool exists = !sys::fs::status(target, status) && sys::fs::exists(status);
  std::error_code error;
  int descriptor = -1;
  if (exists && sys::fs::is_directory(status)) {
    error = std::make_error_code(std::errc::is_a_directory);
  } else if (exists && !sys::fs::is_regular_file(status)) {
    error = sys::fs::openFileForWrite(target, descriptor, sys::fs::CD_OpenExisting);
  } else if (exists && sys::fs::access(target, sys::fs::AccessMode::Write)) {
    error = std::make_error_code(std::errc::permission_denied);
  } else {
    // LLVM's unique names would also replace a '%' in the destination's own.
    unsigned attempt = 0;
    do {
      file.temporary =
          (target + "." + Twine(sys::Process::getProcessId()) + "-" + Twine(attempt++) + ".tmp")
              .str();
      error = sys::fs::openFileForWrite(file.temporary, descriptor, sys::fs::CD_CreateNew);
    } while (error == std::errc::file_exists);
    if (!error)
      sys::RemoveFileOnSignal(file.temporary);
  }
  if (error)
    return cannotWrite(path, error);
  file.stream = std::make_unique<raw_fd_ostream>(descriptor, /*shouldClose=*/true);
  files.push_back(std::move(file));
  return &files.back();
}

Error OutputFiles::check(StringRef path) {
  sys::fs::file_status status;
  // Who reads from a pipe would take this for its end.
  if (!sys::fs::status(path, status) && sys::fs::exists(status) &&
      !sys::fs::is_regular_file(status) && !sys::fs::is_directory(status))
    return Error::success();
  OutputFiles probe;
  return probe.open(path).takeError();
}

Expected<raw_ostream *> OutputFiles::open(StringRef path) {
  Expected<File *> file = create(path);
  if (!file)
    return file.takeError();
  return (*file)->stream.get();
}

Error OutputFiles::write(StringRef path, StringRef contents) {
  Expected<File *> file = create(path);
  if (!file)
    return file.takeError();
  *(*file)->stream << contents;
  // There may be more files than a process may have open.
  return close(**file);
}

Error OutputFiles::append(StringRef path, StringRef contents) {
  StringRef source = path;
  if (File *file = find(path)) {
    if (Error error = close(*file))
      return error;
    source = file->temporary;
  }
  sys::fs::file_status status;
  if (source.empty() || sys::fs::status(source, status) || !sys::fs::is_regular_file(status))
    return write(path, contents);
  auto previous = MemoryBuffer::getFile(source, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!previous)
    return cannotWrite(path, previous.getError());
  return write(path, ((*previous)->getBuffer() + contents).str());
}

Error OutputFiles::createDirectory(StringRef path) {
  SmallVector<StringRef> missing;
  for (StringRef parent = path; !parent.empty() && !sys::fs::exists(parent);
       parent = sys::path::parent_path(parent))
    missing.push_back(parent);
  for (StringRef directory : reverse(missing)) {
    if (std::error_code error =
            sys::fs::create_directory(directory, /*IgnoreExisting=*/false, sys::fs::all_all))
      return createStringError("cannot create directory '" + path + "': " + error.message());
    directories.push_back(directory.str());
  }
  if (!sys::fs::is_directory(path))
    return createStringError("cannot create directory '" + path +
                             "': there is a file of that name");
  return Error::success();
}

Error OutputFiles::commit() {
  for (File &file : files)
    if (Error error = close(file))
      return error;
  for (File &file : files) {
    if (file.temporary.empty())
      continue;
    if (std::error_code error = sys::fs::rename(file.temporary, file.target))
      return cannotWrite(file.path, error);
    sys::DontRemoveFileOnSignal(file.temporary);
    file.temporary.clear();
  }
  directories.clear();
  return Error::success();
}
