//===- Upgrade.cpp - old spellings of IREE's IR ----------------------------===//
//
// Every step reads the text that the step before it wrote. A step edits only what is spelled in the
// old way, so the upgrade of new text is the text itself.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/IREE/Upgrade.h"

#include "Upgrade.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace npu::iree;

//===----------------------------------------------------------------------===//
// What cannot be upgraded
//===----------------------------------------------------------------------===//

static Error refuseUnknown(TokenEditor &editor) {
  for (size_t i = 0; i < editor.size(); ++i) {
    StringRef word = editor[i].ltrim("!#\"");
    if (word.starts_with("iree_input."))
      return editor.makeError(i, "'" + editor[i] +
                                     "' has no new spelling; import the model again "
                                     "with a frontend of 2024 or later");
    if (word.starts_with("stream.executable"))
      return editor.makeError(i, "'" + editor[i] +
                                     "' belongs to a later phase; run iree-compile "
                                     "again with --compile-to=flow");
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// flow
//===----------------------------------------------------------------------===//

/// `!flow.dispatch.tensor<readonly:4x8xf32>` holds a tensor type now.
static Error upgradeTensorTypes(TokenEditor &editor) {
  for (size_t i = 0; i < editor.size(); ++i) {
    StringRef type = editor[i];
    if (type != "!flow.dispatch.tensor" && type != "!iree_tensor_ext.dispatch.tensor")
      continue;
    if (!editor.is(i + 1, "<") || !editor.is(i + 3, ":"))
      continue;
    StringRef bound = editor[i + 4];
    if (bound != "?" && (bound.empty() || !isDigit(bound.front())))
      continue;
    size_t end = editor.skipBrackets(i + 1) - 1;
    editor.replace(i + 4, end, "tensor<" + editor.getText(i + 4, end) + ">");
  }
  return Error::success();
}

/// The number of workgroups is computed from the slice, and its operands stand in parentheses.
static Error upgradeWorkgroupCounts(TokenEditor &editor) {
  for (size_t i = 0; i < editor.size(); ++i) {
    StringRef word = editor[i];
    if (word != "flow.dispatch.default_workgroup_count" &&
        word != "flow.dispatch.workgroup_count_from_dag_root" &&
        word != "flow.dispatch.workgroup_count_from_set_encoding_op" &&
        word != "flow.dispatch.workgroup_count_from_slice" &&
        word != "iree_tensor_ext.dispatch.workgroup_count_from_dag_root")
      continue;
    constexpr StringLiteral kName = "iree_tensor_ext.dispatch.workgroup_count_from_slice";
    if (editor.is(i + 1, "(")) {
      editor.replace(i, i + 1, kName);
      continue;
    }
    size_t end = i + 1;
    // An operand that starts a statement of its own is followed by `=`, `:` or `,` and another.
    while (editor[end].starts_with("%") && !editor.is(end + 1, "=") && !editor.is(end + 1, ":")) {
      ++end;
      if (editor[end].starts_with("#"))
        ++end;
      if (!editor.is(end, ","))
        break;
      ++end;
    }
    editor.replace(i, end, kName + "(" + editor.getText(i + 1, end) + ")");
  }
  return Error::success();
}

/// The ops and the type of dispatch bodies belong to iree_tensor_ext now.
static Error upgradeNames(TokenEditor &editor) {
  for (size_t i = 0; i < editor.size(); ++i) {
    StringRef token = editor[i];
    StringRef name = token.ltrim("!\"");
    // A string is the name of an op if its operands follow.
    if (token.starts_with("\"") && !editor.is(i + 1, "("))
      continue;
    bool moved = name == "flow.dispatch.tensor" || name.starts_with("flow.dispatch.tensor.") ||
                 name.starts_with("flow.dispatch.workload.ordinal") ||
                 name.starts_with("flow.dispatch.workgroup_count_");
    if (moved)
      editor.replace(i, i + 1,
                     token.take_front(token.size() - name.size()) + "iree_tensor_ext" +
                         name.drop_front(StringRef("flow").size()));
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// The module's list of devices is a global, which is the default place of everything.
static Error upgradeDeviceTargets(TokenEditor &editor) {
  for (size_t i = 0; i < editor.size(); ++i) {
    if (!editor.is(i, "module") && !editor.is(i, "builtin.module"))
      continue;
    size_t keyword = i + (editor[i + 1].starts_with("@") ? 2 : 1);
    if (!editor.is(keyword, "attributes") || !editor.is(keyword + 1, "{"))
      continue;
    size_t end = editor.skipBrackets(keyword + 1);
    for (size_t entry = keyword + 2; entry < end; ++entry) {
      if (!editor.is(entry, "hal.device.targets") || !editor.is(entry + 1, "=") ||
          !editor.is(entry + 2, "["))
        continue;
      size_t close = editor.skipBrackets(entry + 2);
      StringRef devices = editor.getText(entry + 3, close - 1);
      bool isSingle = editor.skipAttribute(entry + 3) == close - 1;
      std::string device =
          isSingle ? devices.str() : ("#hal.device.select<[" + devices + "]>").str();
      editor.replace(entry, close, "stream.affinity.default = #hal.device.affinity<@__device_0>");
      // An alias has the type in its definition or by what it stands for.
      bool isAlias = StringRef(device).find('<') == StringRef::npos;
      editor.replace(end, end + 1,
                     "{\n  util.global private @__device_0 = " + device +
                         (isAlias ? "" : " : !hal.device"));
      return Error::success();
    }
  }
  return Error::success();
}

static Error upgradeAffinities(TokenEditor &editor) {
  for (size_t i = 0; i < editor.size(); ++i) {
    if (!editor.is(i, "#hal.affinity.queue") || !editor.is(i + 1, "<"))
      continue;
    size_t end = editor.skipBrackets(i + 1);
    StringRef queues = editor.getText(i + 2, end - 1);
    editor.replace(i, end,
                   "#hal.device.affinity<@__device_0" + (queues == "*" ? "" : ", " + queues.str()) +
                       ">");
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Host functions
//===----------------------------------------------------------------------===//

/// `hal.tensor.export %t into(%s : S) "n" : T -> R` is an alias and an export now.
static Error upgradeExportsInto(TokenEditor &editor) {
  unsigned numAliases = 0;
  for (size_t i = 0; i < editor.size(); ++i) {
    if (!editor.is(i, "hal.tensor.export") || !editor[i + 1].starts_with("%"))
      continue;
    size_t into = i + (editor[i + 2].starts_with("#") ? 3 : 2);
    if (!editor.is(into, "into") || !editor.is(into + 1, "("))
      continue;
    size_t statement = i - 2;
    if (i < 2 || !editor.is(i - 1, "="))
      return editor.makeError(i, "expected the export to have a result");
    size_t intoEnd = editor.skipBrackets(into + 1);
    size_t colon = intoEnd;
    while (colon < editor.size() && !editor.is(colon, ":"))
      ++colon;
    size_t arrow = colon, typeBegin = colon + 1;
    for (; arrow < editor.size() && !editor.is(arrow, "->"); ++arrow)
      if (editor.is(arrow, "as"))
        typeBegin = arrow + 1;
    StringRef source = editor.getText(i + 1, into);
    std::string alias = ("%upgraded_alias_" + Twine(numAliases++)).str();
    editor.insertBefore(statement, alias + " = hal.tensor.alias " + source + " : " +
                                       editor.getText(typeBegin, arrow) + " to " +
                                       editor.getText(into + 2, intoEnd - 1) + "\n    ");
    editor.replace(i + 1, intoEnd, alias);
  }
  return Error::success();
}

/// One op holds all that is known of an integer now.
static Error upgradeAssumptions(TokenEditor &editor) {
  for (size_t i = 0; i < editor.size(); ++i) {
    StringRef value = editor[i + 1];
    if (editor.is(i, "util.assume.divisible") && editor.is(i + 2, "by"))
      editor.replace(i, i + 4, "util.assume.int " + value + "<udiv = " + editor[i + 3] + ">");
    else if (editor.is(i, "util.assume.range") && editor.is(i + 2, "in") && editor.is(i + 3, "[") &&
             editor.is(i + 5, ",") && editor.is(i + 7, "]"))
      editor.replace(i, i + 8,
                     "util.assume.int " + value + "<umin = " + editor[i + 4] +
                         ", umax = " + editor[i + 6] + ">");
  }
  return Error::success();
}

/// Whether a word names an op of the dialects that only host programs and executables contain.
static bool isIREEOp(StringRef word) {
  return word.starts_with("flow.") || word.starts_with("hal.") || word.starts_with("util.") ||
         word.starts_with("iree_tensor_ext.");
}

/// Functions outside executables are util.func now. Text without IREE's ops is left alone: there
/// a func.func is not a host program.
static Error upgradeFunctions(TokenEditor &editor) {
  bool isIREE = false;
  for (size_t i = 0; i < editor.size(); ++i)
    isIREE |= isIREEOp(editor[i]);
  if (!isIREE)
    return Error::success();
  for (size_t i = 0; i < editor.size(); ++i) {
    StringRef word = editor[i];
    if (word == "flow.executable" || word == "hal.executable" || word == "hal.executable.source" ||
        word == "hal.executable.variant") {
      while (i < editor.size() && !editor.is(i, "{"))
        i = editor.skipAttribute(editor.is(i, "attributes") ? i + 1 : i);
      i = editor.skipBrackets(i) - 1;
      continue;
    }
    if (word == "func.func" || word == "func.call" || word == "func.return")
      editor.replace(i, i + 1, "util" + word.drop_front(StringRef("func").size()));
    else if (word == "call" && editor[i + 1].starts_with("@"))
      editor.replace(i, i + 1, "util.call");
    else if (word == "return" &&
             (editor[i + 1].starts_with("%") || editor.is(i + 1, "}") || editor.is(i + 1, "loc")))
      editor.replace(i, i + 1, "util.return");
  }
  return Error::success();
}

Expected<std::string> npu::iree::upgradeText(MemoryBufferRef buffer) {
  using Step = Error (*)(TokenEditor &);
  static constexpr Step kSteps[] = {refuseUnknown,     upgradeTensorTypes, upgradeWorkgroupCounts,
                                    upgradeNames,      upgradeLayouts,     upgradeVariants,
                                    upgradeExports,    upgradeInterface,   upgradeDeviceTargets,
                                    upgradeAffinities, upgradeExportsInto, upgradeAssumptions,
                                    upgradeFunctions};
  std::string text = buffer.getBuffer().str();
  for (Step step : kSteps) {
    TokenEditor editor(text, buffer.getBufferIdentifier());
    if (Error error = step(editor))
      return std::move(error);
    text = editor.take();
  }
  return text;
}
