//===- Translate.cpp - programs out of and into MLIR ----------------------===//
//
// Emits what the IR says and decides nothing.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/Translate/Translate.h"

#include "NPU/Dialect/IREE/Flow/Transforms/DispatchGraph.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/FileKind.h"
#include "NPU/Support/Nesting.h"
#include "NPU/Target/Assembly/Assembly.h"
#include "NPU/Target/Binary/Binary.h"
#include "NPU/Target/IREE/Upgrade.h"
#include "ProgramDirectory.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/ParseUtilities.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

/// All programs below `module`, or those named `name`; empty after an error if there is none.
static SmallVector<npu::isa::ProgramOp> findPrograms(Operation *module, StringRef name) {
  SmallVector<npu::isa::ProgramOp> programs;
  module->walk([&](npu::isa::ProgramOp program) {
    if (name.empty() || program.getSymName() == name)
      programs.push_back(program);
  });
  if (programs.empty() && !name.empty())
    mlir::emitError(module->getLoc(), "found no npu_isa.program named '") << name << "'";
  else if (programs.empty())
    mlir::emitError(module->getLoc(), "found no npu_isa.program; npu-opt --npu-codegen-pipeline "
                                      "makes one of each function on tensors, and before it "
                                      "--npu-front-half makes such functions of a model");
  return programs;
}

/// Where only one program is possible.
static InFlightDiagnostic emitSeveral(Operation *module, ArrayRef<npu::isa::ProgramOp> programs) {
  InFlightDiagnostic error = module->emitError("found ")
                             << programs.size()
                             << " npu_isa.program operations; write all with -o <directory>/, or "
                                "one with --npu-program=<name>: ";
  llvm::interleaveComma(programs, error,
                        [&](npu::isa::ProgramOp program) { error << program.getSymName(); });
  return error;
}

FailureOr<npu::isa::Program> npu::getProgram(Operation *module) {
  SmallVector<isa::ProgramOp> programs = findPrograms(module, "");
  if (programs.empty())
    return failure();
  if (programs.size() > 1)
    return emitSeveral(module, programs);
  return isa::toProgram(programs.front());
}

/// The error is a whole diagnostic: `file:line:column: error: message`.
static llvm::Expected<npu::isa::Program> readOrDiagnose(llvm::MemoryBufferRef buffer) {
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef(buffer.getBuffer());
  FileKind kind = recognizeFile(buffer.getBuffer());
  if (kind != FileKind::Program && kind != FileKind::Assembly && kind != FileKind::Text)
    return createStringError(buffer.getBufferIdentifier() +
                             ": error: " + describeMismatch("assembly or a binary program", kind));
  if (kind == FileKind::Program)
    return isa::decodeBinary(bytes, buffer.getBufferIdentifier());
  return isa::parseAssembly(buffer.getBuffer(), buffer.getBufferIdentifier());
}

llvm::Expected<npu::isa::Program> npu::readProgram(llvm::MemoryBufferRef buffer) {
  llvm::Expected<npu::isa::Program> program = readOrDiagnose(buffer);
  if (program)
    return program;
  // Tools say themselves that it is an error.
  std::string message = toString(program.takeError());
  constexpr StringRef word = "error: ";
  if (size_t place = message.find(word, buffer.getBufferIdentifier().size());
      place != std::string::npos)
    message.erase(place, word.size());
  return llvm::createStringError(message);
}

/// Reads the main file of a translation that does not start from MLIR.
static FailureOr<npu::isa::Program> readMainFile(llvm::SourceMgr &sourceMgr) {
  const llvm::MemoryBuffer *buffer = sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
  llvm::Expected<npu::isa::Program> program = readOrDiagnose(*buffer);
  if (program)
    return std::move(*program);
  llvm::errs() << npu::escapeText(toString(program.takeError())) << "\n";
  return failure();
}

static LogicalResult writeBinary(const npu::isa::Program &program, raw_ostream &os) {
  llvm::Expected<std::vector<uint8_t>> bytes = npu::isa::encodeBinary(program);
  if (!bytes) {
    llvm::errs() << npu::escapeText(toString(bytes.takeError())) << "\n";
    return failure();
  }
  os << llvm::toStringRef(*bytes);
  return success();
}

/// Upstream's registration, with a look at the text before it is parsed.
static void registerFromMLIR(StringRef name, StringRef description,
                             std::function<LogicalResult(Operation *, raw_ostream &)> translate) {
  TranslateRegistration(
      name, description,
      [translate](const std::shared_ptr<llvm::SourceMgr> &sourceMgr, raw_ostream &os,
                  MLIRContext *context) -> LogicalResult {
        const llvm::MemoryBuffer &buffer = *sourceMgr->getMemoryBuffer(sourceMgr->getMainFileID());
        npu::FileKind kind = npu::recognizeFile(buffer.getBuffer());
        if (!npu::mayBeMLIR(kind)) {
          llvm::errs() << npu::escapeText(buffer.getBufferIdentifier())
                       << ": error: " << npu::describeMismatch("MLIR", kind) << "\n";
          return failure();
        }
        if (!npu::checkNesting(buffer))
          return failure();
        DialectRegistry registry;
        npu::registerAllDialects(registry);
        context->appendDialectRegistry(registry);
        OwningOpRef<Operation *> op =
            parseSourceFileForTool(sourceMgr, context, /*insertImplicitModule=*/true);
        return op ? translate(*op, os) : failure();
      });
}

/// Writes a program to the output, or all of them to files in a directory. Texts of several follow
/// each other, between the lines that --split-input-file cuts at.
static LogicalResult writeTo(Operation *op, raw_ostream &os, StringRef name, StringRef extension,
                             bool isText, npu::WriteProgram write) {
  SmallVector<npu::isa::ProgramOp> programs = findPrograms(op, name);
  if (programs.empty())
    return failure();
  if (!npu::getProgramDirectory().path.empty())
    return npu::writePrograms(programs, extension, write);
  if (programs.size() > 1 && !isText)
    return emitSeveral(op, programs);
  for (npu::isa::ProgramOp program : programs) {
    if (program != programs.front())
      os << '\n' << kDefaultSplitMarker << '\n';
    if (failed(write(program, os)))
      return failure();
  }
  return success();
}

/// A translation of programs to the output or to files in a directory.
static void registerPrograms(StringRef name, StringRef description, StringRef extension,
                             const llvm::cl::opt<std::string> &programName, bool isText,
                             LogicalResult (*write)(const npu::isa::Program &, raw_ostream &)) {
  registerFromMLIR(name, description,
                   [=, &programName](Operation *op, raw_ostream &os) -> LogicalResult {
                     auto writeOne = [&](npu::isa::ProgramOp op, raw_ostream &os) -> LogicalResult {
                       FailureOr<npu::isa::Program> program = npu::isa::toProgram(op);
                       return failed(program) ? failure() : write(*program, os);
                     };
                     return writeTo(op, os, programName, extension, isText, writeOne);
                   });
}

void npu::registerTranslations() {
  static llvm::cl::opt<std::string> programName(
      "npu-program",
      llvm::cl::desc("The name of the npu_isa.program to translate; the default is all"));
  registerPrograms("mlir-to-npu-asm", "translate npu_isa.programs to assembly", ".npuasm",
                   programName, /*isText=*/true,
                   [](const isa::Program &program, raw_ostream &os) -> LogicalResult {
                     isa::printAssembly(program, os);
                     return success();
                   });
  registerPrograms("mlir-to-npu-binary", "translate npu_isa.programs to binaries", ".npubin",
                   programName, /*isText=*/false, writeBinary);
  registerFromMLIR("dispatch-graph-dot", "print the graph of the dispatches for Graphviz",
                   [](Operation *op, raw_ostream &os) -> LogicalResult {
                     auto module = dyn_cast<ModuleOp>(op);
                     return module ? flow::printDispatchGraph(module, os)
                                   : emitError(op->getLoc(), "expected a builtin.module to draw");
                   });
  static TranslateToMLIRRegistration fromAssembly(
      "npu-asm-to-mlir", "translate assembly or a binary to an npu_isa.program",
      [](llvm::SourceMgr &sourceMgr, MLIRContext *context) -> OwningOpRef<Operation *> {
        FailureOr<isa::Program> program = readMainFile(sourceMgr);
        if (failed(program))
          return {};
        context->loadDialect<isa::NPUISADialect>();
        OpBuilder builder(context);
        OwningOpRef<ModuleOp> module = ModuleOp::create(builder, builder.getUnknownLoc());
        builder.setInsertionPointToEnd(module->getBody());
        isa::fromProgram(builder, *program);
        return OwningOpRef<Operation *>(module.release());
      },
      [](DialectRegistry &registry) { registry.insert<isa::NPUISADialect>(); });
  static TranslateRegistration assemble(
      "npu-asm-to-binary", "translate assembly to a binary",
      [](const std::shared_ptr<llvm::SourceMgr> &sourceMgr, raw_ostream &os,
         MLIRContext *) -> LogicalResult {
        FailureOr<isa::Program> program = readMainFile(*sourceMgr);
        return failed(program) ? failure() : writeBinary(*program, os);
      });
  static TranslateRegistration disassemble("npu-binary-to-asm", "translate a binary to assembly",
                                           [](const std::shared_ptr<llvm::SourceMgr> &sourceMgr,
                                              raw_ostream &os, MLIRContext *) -> LogicalResult {
                                             FailureOr<isa::Program> program =
                                                 readMainFile(*sourceMgr);
                                             if (failed(program))
                                               return failure();
                                             isa::printAssembly(*program, os);
                                             return success();
                                           });
  static TranslateRegistration upgradeIREE(
      "upgrade-iree-ir", "rewrite the IR of IREE from 2022 to 2025 in the syntax of 2026",
      [](const std::shared_ptr<llvm::SourceMgr> &sourceMgr, raw_ostream &os,
         MLIRContext *) -> LogicalResult {
        const llvm::MemoryBuffer *buffer = sourceMgr->getMemoryBuffer(sourceMgr->getMainFileID());
        llvm::Expected<std::string> text = iree::upgradeText(*buffer);
        if (!text) {
          llvm::errs() << npu::escapeText(toString(text.takeError())) << "\n";
          return failure();
        }
        os << *text;
        return success();
      });
}
