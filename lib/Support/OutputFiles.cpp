//===- OutputFiles.cpp - files that appear when all are complete ---------===//

#include "NPU/Support/OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

#include <unistd.h>

using namespace llvm;
using namespace npu;

static Error cannotWrite(StringRef path, std::error_code error) {
  return createStringError("cannot write '" + path + "': " + error.message());
}

namespace {
struct ProtectedInput {
  std::string path;
  bool isReplaceable;
};
} // namespace

/// What protectInput was called with.
static SmallVector<ProtectedInput> &getProtectedInputs() {
  static SmallVector<ProtectedInput> inputs;
  return inputs;
}

void npu::protectInput(StringRef path, bool isReplaceable) {
  getProtectedInputs().push_back({path.str(), isReplaceable});
}

Error OutputFiles::checkInputs(const File &file) {
  for (const ProtectedInput &input : getProtectedInputs())
    // A file may have several names.
    if (sys::fs::equivalent(input.path, file.target) &&
        !(input.isReplaceable && file.inputs == Inputs::Replace))
      return createStringError("cannot write '" + file.path +
                               "': it is one of the inputs; name another output");
  return Error::success();
}

/// The targets of the files that this process writes.
static StringSet<> &getOutputs() {
  static StringSet<> outputs;
  return outputs;
}

/// The descriptor that a name like /dev/fd/3 stands for.
static std::optional<int> getDescriptor(StringRef path) {
  if (path == "-" || path == "/dev/stdout")
    return STDOUT_FILENO;
  if (path == "/dev/stderr")
    return STDERR_FILENO;
  int descriptor;
  if ((path.consume_front("/dev/fd/") || path.consume_front("/proc/self/fd/")) &&
      !path.getAsInteger(10, descriptor))
    return descriptor;
  return std::nullopt;
}

OutputFiles::~OutputFiles() {
  for (File &file : files) {
    getOutputs().erase(file.target);
    if (file.ownedStream) {
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
  if (file.ownedStream)
    file.stream->close();
  else
    file.stream->flush();
  std::error_code error = file.stream->error();
  file.stream->clear_error();
  file.stream = nullptr;
  file.ownedStream.reset();
  return error ? cannotWrite(file.path, error) : Error::success();
}

Expected<OutputFiles::File *> OutputFiles::create(StringRef path, Inputs inputs, bool isRest) {
  if (path.contains('\0'))
    return createStringError("cannot write '" + path.split('\0').first +
                             "': expected a file name without a zero byte, found one behind that");
  File file;
  file.path = path.str();
  file.inputs = inputs;
  std::error_code error;
  int descriptor = -1;
  sys::fs::file_status status;
  SmallString<128> target;
  if (std::optional<int> given = getDescriptor(path)) {
    if (*given == STDOUT_FILENO)
      file.stream = &outs();
    else if ((descriptor = ::dup(*given)) < 0)
      error = std::error_code(errno, std::generic_category());
  } else {
    // Replacing a symbolic link by a file is not what who made the link expects.
    if (sys::fs::real_path(path, target)) {
      target = path;
      sys::fs::make_absolute(target);
      sys::path::remove_dots(target);
    }
    file.target = target.str().str();
    bool exists = !sys::fs::status(target, status) && sys::fs::exists(status);
    if (Error error = checkInputs(file))
      return std::move(error);
    if (exists && sys::fs::is_directory(status)) {
      error = std::make_error_code(std::errc::is_a_directory);
    } else if (exists && !sys::fs::is_regular_file(status)) {
      error = sys::fs::openFileForWrite(target, descriptor, sys::fs::CD_OpenExisting);
    } else if (exists && sys::fs::access(target, sys::fs::AccessMode::Write)) {
      error = std::make_error_code(std::errc::permission_denied);
    } else {
      if (!isRest && getOutputs().contains(file.target))
        return createStringError("cannot write '" + path +
                                 "': it is another output as well; name a file for each");
      // LLVM's unique names would also replace a '%' in the destination's own.
      unsigned attempt = 0;
      do {
        file.temporary =
            (target + "." + Twine(sys::Process::getProcessId()) + "-" + Twine(attempt++) + ".tmp")
                .str();
        // A signal may come as soon as the file is there.
        sys::RemoveFileOnSignal(file.temporary);
        error = sys::fs::openFileForWrite(file.temporary, descriptor, sys::fs::CD_CreateNew);
        if (error)
          sys::DontRemoveFileOnSignal(file.temporary);
      } while (error == std::errc::file_exists);
      // The new file is to be as open to others as the old one. That may fail on other systems'
      // disks.
      if (!error && exists)
        (void)sys::fs::setPermissions(descriptor, status.permissions());
    }
  }
  if (error)
    return cannotWrite(path, error);
  if (!file.stream) {
    file.ownedStream = std::make_unique<raw_fd_ostream>(descriptor, /*shouldClose=*/true);
    file.stream = file.ownedStream.get();
  }
  if (!file.temporary.empty())
    getOutputs().insert(file.target);
  files.push_back(std::move(file));
  return &files.back();
}

Error OutputFiles::check(StringRef path, Inputs inputs) {
  sys::fs::file_status status;
  // Who reads from a pipe would take this for its end.
  if (getDescriptor(path) || (!sys::fs::status(path, status) && sys::fs::exists(status) &&
                              !sys::fs::is_regular_file(status) && !sys::fs::is_directory(status)))
    return Error::success();
  OutputFiles probe;
  return probe.open(path, inputs).takeError();
}

Expected<raw_ostream *> OutputFiles::open(StringRef path, Inputs inputs) {
  Expected<File *> file = create(path, inputs);
  if (!file)
    return file.takeError();
  return (*file)->stream;
}

Error OutputFiles::write(StringRef path, StringRef contents, Inputs inputs) {
  Expected<File *> file = create(path, inputs);
  return file ? write(**file, contents) : file.takeError();
}

Error OutputFiles::write(File &file, StringRef contents) {
  *file.stream << contents;
  // There may be more files than a process may have open.
  return close(file);
}

Error OutputFiles::append(StringRef path, StringRef contents, Inputs inputs) {
  StringRef source = path;
  File *before = find(path);
  if (before) {
    if (Error error = close(*before))
      return error;
    source = before->temporary;
  }
  sys::fs::file_status status;
  if (source.empty() || getDescriptor(source) || sys::fs::status(source, status) ||
      !sys::fs::is_regular_file(status))
    return write(path, contents, inputs);
  auto previous = MemoryBuffer::getFile(source, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!previous)
    return cannotWrite(path, previous.getError());
  // There is a new file each time, and the latest one stays.
  Expected<File *> file = create(path, inputs, /*isRest=*/before != nullptr);
  return file ? write(**file, ((*previous)->getBuffer() + contents).str()) : file.takeError();
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
  // Some inputs are read after outputs were opened.
  for (const File &file : files)
    if (!file.temporary.empty())
      if (Error error = checkInputs(file))
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
