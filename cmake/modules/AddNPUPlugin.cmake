# For projects outside of the tree as well: NPUConfig.cmake includes it.

# add_npu_plugin(<name> <sources>...): a shared library that npu-opt loads, <name>.so. It has its own code only and links nothing: MLIR, LLVM
# and the toolchain's dialects are npu-opt's, as a second copy of them would not know the first one's ops.
function(add_npu_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_compile_options(${name} PRIVATE -fno-exceptions)
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${name} PRIVATE -fno-rtti)
  endif()
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR} $<TARGET_PROPERTY:NPU::NPU,INTERFACE_INCLUDE_DIRECTORIES>)
  target_include_directories(${name} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  set_target_properties(${name} PROPERTIES PREFIX "")
endfunction()
