//===- HostSymbols.cpp - what code for the host may call ------------------===//
//
// An object file may come from an untrusted source. It can only call the functions listed here, so
// the list is short: arithmetic, memory functions, and what HostCall.h provides.
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ObjectFile.h"

#include <cmath>
#include <cstring>
#include <strings.h>

// Of the compiler's library, for operations that no instruction does.
extern "C" {
float __powisf2(float, int);
double __powidf2(double, int);
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
}

/// Adds the functions of <math.h> on double and on float that math and arith ops become, directly
/// or by LLVM's hand.
template <typename Add>
static void forEachMathFunction(Add add) {
#define MATH(name, ...)                                                                            \
  add(#name, static_cast<double (*)(__VA_ARGS__)>(&::name));                                       \
  add(#name "f", &::name##f);
#define MATH_1(name) MATH(name, double)
#define MATH_2(name) MATH(name, double, double)
  MATH_1(acos)
  MATH_1(acosh)
  MATH_1(asin)
  MATH_1(asinh)
  MATH_1(atan)
  MATH_1(atanh)
  MATH_1(cbrt)
  MATH_1(ceil)
  MATH_1(cos)
  MATH_1(cosh)
  MATH_1(erf)
  MATH_1(erfc)
  MATH_1(exp)
  MATH_1(exp10)
  MATH_1(exp2)
  MATH_1(expm1)
  MATH_1(fabs)
  MATH_1(floor)
  MATH_1(log)
  MATH_1(log10)
  MATH_1(log1p)
  MATH_1(log2)
  MATH_1(nearbyint)
  MATH_1(rint)
  MATH_1(round)
  MATH_1(roundeven)
  MATH_1(sin)
  MATH_1(sinh)
  MATH_1(sqrt)
  MATH_1(tan)
  MATH_1(tanh)
  MATH_1(trunc)
  MATH_2(atan2)
  MATH_2(copysign)
  MATH_2(fmax)
  MATH_2(fmaximum)
  MATH_2(fmin)
  MATH_2(fminimum)
  MATH_2(fmod)
  MATH_2(pow)
  MATH(fma, double, double, double)
#undef MATH_2
#undef MATH_1
#undef MATH
  add("frexp", static_cast<double (*)(double, int *)>(&::frexp));
  add("frexpf", &::frexpf);
  add("ldexp", static_cast<double (*)(double, int)>(&::ldexp));
  add("ldexpf", &::ldexpf);
  add("sincos", &::sincos);
  add("sincosf", &::sincosf);
}

llvm::orc::SymbolMap npu::runtime::getHostSymbols(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols = getRuntimeSymbols(mangle);
  auto add = [&](llvm::StringRef name, auto *function) {
    symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported};
  };
  forEachMathFunction(add);
  add("__powisf2", &__powisf2);
  add("__powidf2", &__powidf2);
  add("__divti3", &__divti3);
  add("__modti3", &__modti3);
  add("__udivti3", &__udivti3);
  add("__umodti3", &__umodti3);
  add("bcmp", &::bcmp);
  add("memcmp", &::memcmp);
  add("memcpy", &::memcpy);
  add("memmove", &::memmove);
  add("memset", &::memset);
  return symbols;
}

llvm::Error npu::runtime::checkHostSymbols(llvm::MemoryBufferRef code,
                                           llvm::orc::ExecutionSession &session,
                                           const llvm::DataLayout &layout) {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createObjectFile(code);
  if (!object)
    return llvm::createStringError("expected a relocatable object file: " +
                                   llvm::toString(object.takeError()));
  const llvm::orc::SymbolMap known = getHostSymbols(llvm::orc::MangleAndInterner(session, layout));
  for (llvm::object::SymbolRef symbol : (*object)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined))
      continue;
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    // The linker itself defines the table.
    if (name->empty() || *name == "_GLOBAL_OFFSET_TABLE_" || known.contains(session.intern(*name)))
      continue;
    return llvm::createStringError(
        "expected code that calls nothing but mathematical functions, memory functions and those "
        "of the compiler's library, found '" +
        *name + "'; compile the model again with npu-translate --mlir-to-npu-json");
  }
  return llvm::Error::success();
}
