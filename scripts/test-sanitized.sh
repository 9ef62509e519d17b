#!/usr/bin/env bash
# Builds our code with assertions, AddressSanitizer and UndefinedBehaviorSanitizer, and runs what is quick enough
# for that: most unit tests, and lit's tests of dialects, conversions, passes and formats.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_missing "${build_packages[@]}" "${test_packages[@]}" libclang-rt-22-dev

# Not the tests of whole models: most of their time is in native code, which is not instrumented.
unit_tests=()
for name in Simulator Target Verify Support TensorFiles Tensor TaskGraph Dialect Transforms; do
  unit_tests+=("NPU${name}Tests")
done
lit_tests='NPU :: (ABI|Conversion|Dialect/(NPU|NPUISA|ONNX)|Dialect/IREE/(Flow|Util)|DispatchCreation|GlobalOptimization|HostLowering/npu|InputConversion|Partition|Preparation|Pipelines/Contracts|Target)'

cmake --preset sanitize >/dev/null
cmake --build --preset sanitize --target npu-opt npu-translate npu-run "${unit_tests[@]}"

# LLVM's library is not instrumented and shares allocators with our code, which poisons their memory: off.
export ASAN_OPTIONS=allow_user_poisoning=0 UBSAN_OPTIONS=print_stacktrace=1
# A thousand tile searches take minutes here; the other tests search as well.
printf '%s\n' "${unit_tests[@]}" | xargs -P "$(nproc)" -I {} \
  env "build-sanitize/unittests/{}" --gtest_brief=1 --gtest_filter=-TileSearchTest.RandomShapesOnRandomChipsFit
"$(llvm-config-22 --bindir)/lit" -sv build-sanitize/test --filter "$lit_tests"
