//===- UpgradeExecutables.cpp - old spellings of IREE's hal executables ----===//

#include "Upgrade.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace npu::iree;

//===----------------------------------------------------------------------===//
// Pipeline layouts
//===----------------------------------------------------------------------===//

namespace {
/// What aliases stand for: the index of the token that follows `#name =`.
using AliasMap = StringMap<size_t>;

/// Reads an old layout: constants, and one descriptor set of bindings.
class OldLayout {
public:
  OldLayout(TokenEditor &editor, const AliasMap &aliases) : editor(editor), aliases(aliases) {}

  /// Reads the layout whose `<` is at `index`.
  Error read(size_t index) {
    size_t end = editor.skipBrackets(index) - 1;
    for (size_t i = index + 1; i < end; ++i) {
      if (editor.is(i, "push_constants") && editor.is(i + 1, "=")) {
        constants = editor[i + 2];
        i += 2;
      } else if (editor.is(i, "sets") && editor.is(i + 1, "=") && editor.is(i + 2, "[")) {
        if (Error error = readSets(i + 2))
          return error;
        i = editor.skipBrackets(i + 2) - 1;
      }
    }
    return Error::success();
  }

  std::string getText() const {
    std::string text = "#hal.pipeline.layout<";
    if (!constants.empty() && constants != "0")
      text += ("constants = " + constants + ", ").str();
    text += "bindings = [" + join(bindings, ", ") + "]";
    return text + (isIndirect ? ", flags = Indirect>" : ">");
  }

private:
  /// The `<` of an attribute that is spelled out, without its name, or as an alias.
  size_t findBody(size_t index) const {
    if (auto alias = aliases.find(editor[index]); alias != aliases.end())
      index = alias->second;
    return editor.is(index, "<") ? index : index + 1;
  }

  Error readSets(size_t index) {
    size_t end = editor.skipBrackets(index) - 1;
    for (size_t i = index + 1; i < end; i = editor.skipAttribute(i) + 1) {
      if (i != index + 1)
        return editor.makeError(i, "expected one descriptor set, found another; layouts with "
                                   "several sets have no new spelling");
      size_t body = findBody(i);
      if (!editor.is(body + 1, "0"))
        return editor.makeError(body + 1, "expected descriptor set 0, found " + editor[body + 1]);
      size_t bodyEnd = editor.skipBrackets(body) - 1;
      for (size_t j = body + 2; j < bodyEnd; ++j) {
        if (editor.is(j, "bindings") && editor.is(j + 1, "=") && editor.is(j + 2, "[")) {
          if (Error error = readBindings(j + 2))
            return error;
          j = editor.skipBrackets(j + 2) - 1;
        } else if (editor.is(j, "Indirect")) {
          isIndirect = true;
        }
      }
    }
    return Error::success();
  }

  Error readBindings(size_t index) {
    size_t end = editor.skipBrackets(index) - 1;
    for (size_t i = index + 1; i < end; i = editor.skipAttribute(i) + 1) {
      size_t body = findBody(i);
      if (editor[body + 1] != std::to_string(bindings.size()))
        return editor.makeError(body + 1, "expected binding " + Twine(bindings.size()) +
                                              ", found " + editor[body + 1] +
                                              "; bindings are numbered without gaps now");
      StringRef rest = editor.getText(body + 3, editor.skipBrackets(body) - 1);
      bindings.push_back(("#hal.pipeline.binding<" + rest + ">").str());
    }
    return Error::success();
  }

  TokenEditor &editor;
  const AliasMap &aliases;
  StringRef constants;
  std::vector<std::string> bindings;
  bool isIndirect = false;
};
} // namespace

Error npu::iree::upgradeLayouts(TokenEditor &editor) {
  AliasMap aliases;
  for (size_t i = 0; i + 2 < editor.size(); ++i)
    if (editor[i].starts_with("#") && editor.is(i + 1, "=") &&
        editor[i + 2].starts_with("#hal.descriptor_set."))
      aliases[editor[i]] = i + 2;
  for (size_t i = 0; i < editor.size(); ++i) {
    // An op may print its layout without the name.
    bool isStripped = editor.is(i, "(") && i > 0 && editor.is(i - 1, "layout");
    if ((!isStripped && !editor.is(i, "#hal.pipeline.layout")) || !editor.is(i + 1, "<") ||
        (!editor.is(i + 2, "push_constants") && !editor.is(i + 2, "sets")))
      continue;
    OldLayout layout(editor, aliases);
    if (Error error = layout.read(i + 1))
      return error;
    size_t end = editor.skipBrackets(i + 1);
    editor.replace(isStripped ? i + 1 : i, end, layout.getText());
    i = end - 1;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Variants and exports
//===----------------------------------------------------------------------===//

/// The index of the symbol's name, after an optional visibility.
static size_t findSymbol(const TokenEditor &editor, size_t index) {
  return editor[index].starts_with("@") ? index : index + 1;
}

/// `@v, target = T, objects = O` is `@v target(T) objects(O)` now.
Error npu::iree::upgradeVariants(TokenEditor &editor) {
  for (size_t i = 0; i < editor.size(); ++i) {
    if (!editor.is(i, "hal.executable.variant"))
      continue;
    size_t next = findSymbol(editor, i + 1) + 1;
    while (editor.is(next, ",") && editor.is(next + 2, "=")) {
      size_t end = editor.skipAttribute(next + 3);
      editor.replace(next, end, " " + editor[next + 1] + "(" + editor.getText(next + 3, end) + ")");
      next = end;
    }
  }
  return Error::success();
}

/// `layout(L) attributes {A} { ^bb0(%d: !hal.device): ... }` is
/// `layout(L) count(%d: !hal.device) -> (index, index, index) { ... } attributes {A}` now.
Error npu::iree::upgradeExports(TokenEditor &editor) {
  for (size_t i = 0; i < editor.size(); ++i) {
    if (!editor.is(i, "hal.executable.export"))
      continue;
    size_t next = findSymbol(editor, i + 1) + 1;
    while ((editor.is(next, "ordinal") || editor.is(next, "layout")) && editor.is(next + 1, "("))
      next = editor.skipBrackets(next + 1);
    size_t attributes = next;
    if (editor.is(next, "attributes"))
      next = editor.skipBrackets(next + 1);
    size_t attributesEnd = next;
    if (!editor.is(next, "{") || !editor[next + 1].starts_with("^"))
      continue;
    size_t regionEnd = editor.skipBrackets(next);
    size_t argumentsEnd = editor.is(next + 2, "(") ? editor.skipBrackets(next + 2) : next + 2;
    StringRef arguments = editor.getText(next + 2, argumentsEnd);
    if (!editor.is(argumentsEnd, ":"))
      return editor.makeError(argumentsEnd, "expected ':' after the arguments of the export");
    editor.replace(attributes, argumentsEnd + 1,
                   "count" + (arguments.empty() ? "()" : arguments) +
                       " -> (index, index, index) {");
    if (attributes != attributesEnd)
      editor.replace(regionEnd - 1, regionEnd, "} " + editor.getText(attributes, attributesEnd));
    i = regionEnd - 1;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Interface ops
//===----------------------------------------------------------------------===//

/// The argument of `keyword(argument)` among the clauses of an op, which start at `index`.
static StringRef findClause(const TokenEditor &editor, size_t index, StringRef keyword) {
  while (editor.is(index + 1, "(")) {
    size_t end = editor.skipBrackets(index + 1);
    if (editor.is(index, keyword))
      return editor.getText(index + 2, end - 1);
    index = end;
  }
  return {};
}

static bool isOldConstantLoad(const TokenEditor &editor, size_t index) {
  return editor.is(index, "hal.interface.constant.load") && editor.is(index + 1, "[");
}

static bool isOldSubspan(const TokenEditor &editor, size_t index) {
  return editor.is(index, "hal.interface.binding.subspan") && editor.is(index + 1, "set");
}

/// The clause of the descriptor set of a subspan, alone or after the layout; 0 if there is none.
static size_t findSet(const TokenEditor &editor, size_t index) {
  if (!editor.is(index, "hal.interface.binding.subspan"))
    return 0;
  size_t clause = editor.is(index + 1, "layout") && editor.is(index + 2, "(")
                      ? editor.skipBrackets(index + 2)
                      : index + 1;
  return editor.is(clause, "set") ? clause : 0;
}

/// The layout that the interface ops between two tokens show. Bindings that none shows are storage
/// buffers.
static std::string guessLayout(const TokenEditor &editor, size_t begin, size_t end) {
  unsigned numConstants = 0;
  std::vector<std::string> bindings;
  for (size_t i = begin; i < end; ++i) {
    unsigned number;
    if (isOldConstantLoad(editor, i) && !editor[i + 2].getAsInteger(10, number))
      numConstants = std::max(numConstants, number + 1);
    // Layouts are small; a number past any real one would only cost memory.
    if (!isOldSubspan(editor, i) || findClause(editor, i + 1, "binding").getAsInteger(10, number) ||
        number > 1023)
      continue;
    if (bindings.size() <= number)
      bindings.resize(number + 1, "#hal.pipeline.binding<storage_buffer>");
    StringRef type = findClause(editor, i + 1, "type");
    StringRef flags = findClause(editor, i + 1, "flags");
    bindings[number] = ("#hal.pipeline.binding<" + (type.empty() ? "storage_buffer" : type) +
                        (flags.empty() ? "" : ", ") + flags + ">")
                           .str();
  }
  std::string constants =
      numConstants ? ("constants = " + Twine(numConstants) + ", ").str() : std::string();
  return "#hal.pipeline.layout<" + constants + "bindings = [" + join(bindings, ", ") + "]>";
}

/// Interface ops name the layout, and there is one descriptor set only.
Error npu::iree::upgradeInterface(TokenEditor &editor) {
  StringMap<std::string> exportLayouts;
  std::string layout = guessLayout(editor, 0, editor.size());
  for (size_t i = 0; i < editor.size(); ++i) {
    StringRef word = editor[i];
    if (word == "hal.executable.variant" || word == "hal.executable.source") {
      exportLayouts.clear();
    } else if (word == "hal.executable.export") {
      size_t name = findSymbol(editor, i + 1);
      exportLayouts[editor[name]] = findClause(editor, name + 1, "layout").str();
    } else if (word == "func.func" || word == "llvm.func") {
      size_t name = findSymbol(editor, i + 1);
      auto exported = exportLayouts.find(editor[name]);
      size_t body = name;
      while (body < editor.size() && !editor.is(body, "{"))
        body = editor.skipAttribute(editor.is(body, "attributes") ? body + 1 : body);
      layout = exported != exportLayouts.end()
                   ? exported->second
                   : guessLayout(editor, body, editor.skipBrackets(body));
    } else if (isOldConstantLoad(editor, i)) {
      editor.replace(i + 1, i + 4, " layout(" + layout + ") ordinal(" + editor[i + 2] + ")");
    } else if (size_t set = findSet(editor, i)) {
      if (!editor.is(set + 1, "(") || !editor.is(set + 2, "0") || !editor.is(set + 3, ")"))
        return editor.makeError(set + 2, "expected descriptor set 0, found " + editor[set + 2] +
                                             "; other sets have no new spelling");
      editor.replace(set, set + 4, isOldSubspan(editor, i) ? "layout(" + layout + ")" : "");
      for (size_t clause = set + 4; editor.is(clause + 1, "(");) {
        size_t end = editor.skipBrackets(clause + 1);
        if (editor.is(clause, "type"))
          editor.replace(clause, end, "");
        clause = end;
      }
    }
  }
  return Error::success();
}
