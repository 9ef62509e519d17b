//===- FileKind.cpp - what a file is, by its contents ---------------------===//

#include "NPU/Support/FileKind.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace npu;

namespace {
/// What a binary file starts with.
struct Signature {
  StringLiteral bytes;
  FileKind kind;
};

/// Dialects of other compilers, and how their users get to one that is read here.
struct FrontEnd {
  StringLiteral dialect, remedy;
};
} // namespace

static constexpr Signature signatures[] = {
    {StringLiteral("ML\xEFR"), FileKind::Bytecode},
    {StringLiteral("NPUPROG\n"), FileKind::Program},
    {StringLiteral("\x93NUMPY"), FileKind::Npy},
    {StringLiteral("PK\x03\x04"), FileKind::Zip},
    {StringLiteral("\x7f"
                   "ELF"),
     FileKind::ELF},
    // The first field of a model is its IR version, which no text starts with.
    {StringLiteral("\x08"), FileKind::ONNX}};

static constexpr char stablehloRemedy[] =
    "stablehlo-opt --stablehlo-legalize-to-linalg lowers it to linalg, and "
    "iree-compile --iree-input-type=stablehlo --compile-to=flow to the flow level";
static constexpr FrontEnd frontEnds[] = {
    {"stablehlo", stablehloRemedy},
    {"chlo", stablehloRemedy},
    {"vhlo", stablehloRemedy},
    {"mhlo", "mlir-hlo-opt --hlo-legalize-to-linalg lowers it to linalg"},
    {"torch", "torch-mlir-opt --pass-pipeline='builtin.module("
              "torch-backend-to-linalg-on-tensors-backend-pipeline)' lowers it to linalg"},
    {"tf", "tf-opt --tf-to-tosa-pipeline lowers it to tosa"},
    {"tfl", "tf-opt --tfl-to-tosa-pipeline lowers it to tosa"}};

/// The text without white space and comments at its start.
static StringRef skipComments(StringRef text) {
  text = text.ltrim();
  while (text.starts_with("//"))
    text = text.drop_until([](char c) { return c == '\n'; }).ltrim();
  return text;
}

FileKind npu::recognizeFile(StringRef contents) {
  if (contents.trim().empty())
    return FileKind::Empty;
  for (const Signature &signature : signatures)
    if (contents.starts_with(signature.bytes))
      return signature.kind;
  if (contents.contains('\0'))
    return FileKind::Data;
  StringRef text = skipComments(contents);
  // MLIR starts with neither a directive nor an object; `{-#` are resources.
  if (text.starts_with("."))
    return FileKind::Assembly;
  if (text.starts_with("[") || (text.consume_front("{") && !text.starts_with("-#")))
    return FileKind::JSON;
  // An op, with results or in generic form, an alias, or a module.
  static const Regex mlir("^([%#!]|\"?[a-z_]+\\.[a-z]|module|-#)");
  return mlir.match(text.take_front(64)) ? FileKind::MLIR : FileKind::Text;
}

static StringRef describe(FileKind kind) {
  switch (kind) {
  case FileKind::Empty:
    return "an empty file";
  case FileKind::MLIR:
    return "MLIR; npu-run and npu-translate --mlir-to-npu-json read models, npu-translate "
           "--mlir-to-npu-asm and --mlir-to-npu-binary programs";
  case FileKind::Bytecode:
    return "MLIR bytecode; npu-opt reads it and writes text";
  case FileKind::ONNX:
    return "an ONNX model; npu-translate --onnx-to-mlir makes MLIR of it, and npu-run runs it";
  case FileKind::Assembly:
    return "assembly; npu-run runs it, npu-translate --npu-asm-to-mlir makes MLIR of it";
  case FileKind::Program:
    return "a binary program; npu-run runs it, npu-translate --npu-binary-to-asm makes assembly "
           "of it";
  case FileKind::JSON:
    return "JSON; npu-run runs it if it is a task graph";
  case FileKind::Npy:
    return "a NumPy array; npu-run takes it as --input=@file.npy";
  case FileKind::Zip:
    return "a zip archive; npu-run takes a NumPy one as --input=@file.npz[key] or --parameters, "
           "and a PyTorch one must be exported to ONNX";
  case FileKind::ELF:
    return "an executable or a library";
  case FileKind::Text:
    return "other text";
  case FileKind::Data:
    return "binary data";
  }
  llvm_unreachable("every kind is described");
}

std::string npu::describeMismatch(StringRef expected, FileKind found) {
  return ("expected " + expected + ", found " + describe(found)).str();
}

std::optional<std::string> npu::findUnloweredOp(StringRef text,
                                                function_ref<bool(StringRef)> isKnown) {
  // An op starts its line, after its results.
  static const Regex pattern("^[ \t]*(%[A-Za-z0-9_$.:, %#-]+= *)?\"?(([a-z_]+)\\.[A-Za-z0-9_.]+)");
  SmallVector<StringRef> groups;
  for (unsigned line = 1; !text.empty(); ++line) {
    StringRef first;
    std::tie(first, text) = text.split('\n');
    // Constants have long lines, names are at their start.
    if (none_of(frontEnds, [&](const FrontEnd &known) {
          return first.take_front(256).contains(known.dialect);
        }))
      continue;
    if (!pattern.match(first.take_front(256), &groups) || isKnown(groups[3]))
      continue;
    const auto *frontEnd =
        find_if(frontEnds, [&](const FrontEnd &known) { return known.dialect == groups[3]; });
    if (frontEnd != std::end(frontEnds))
      return (Twine(line) + ": expected linalg, tosa or the flow level, found '" + groups[2] +
              "' of dialect '" + groups[3] + "'; " + frontEnd->remedy)
          .str();
  }
  return std::nullopt;
}
