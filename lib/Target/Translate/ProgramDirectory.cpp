//===- ProgramDirectory.cpp - several programs, one file each -------------===//

#include "ProgramDirectory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace npu;

ProgramDirectory &npu::getProgramDirectory() {
  static ProgramDirectory directory;
  return directory;
}

std::string npu::getProgramFileName(StringRef program, StringRef extension) {
  std::string name;
  for (char c : program)
    // A name that starts with a dot would be hidden, or mean another directory.
    if (llvm::isAlnum(c) || StringRef("-_$").contains(c) || (c == '.' && !name.empty()))
      name += c;
    else
      name += "%" + llvm::utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/false, 2);
  return name + extension.str();
}

LogicalResult npu::writePrograms(ArrayRef<isa::ProgramOp> programs, StringRef extension,
                                 WriteProgram write) {
  ProgramDirectory &directory = getProgramDirectory();
  directory.isUsed = true;
  auto fail = [&](llvm::Error error) {
    directory.log->fail(std::move(error));
    return failure();
  };
  // A separator at its end would make it a directory in itself.
  StringRef root = StringRef(directory.path).rtrim('/');
  if (root.empty())
    root = "/";
  if (llvm::Error error = directory.files->createDirectory(root))
    return fail(std::move(error));
  llvm::StringSet<> names;
  for (isa::ProgramOp program : programs) {
    std::string name = getProgramFileName(program.getSymName(), extension);
    if (!names.insert(name).second)
      return program->emitError("expected programs with different names to write to a directory, "
                                "found two named '")
             << program.getSymName() << "'";
    std::string contents;
    llvm::raw_string_ostream os(contents);
    if (failed(write(program, os)))
      return failure();
    SmallString<128> path(root);
    llvm::sys::path::append(path, name);
    if (llvm::Error error = directory.files->write(path, contents))
      return fail(std::move(error));
  }
  return success();
}
