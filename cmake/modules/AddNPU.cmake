# Wrappers around CMake's and MLIR's functions, so that every folder says only what is its own.

# npu_tablegen(<output> <args>...): one generated file of npu-tblgen.
function(npu_tablegen ofn)
  tablegen(NPU ${ARGV})
  set(TABLEGEN_OUTPUT ${TABLEGEN_OUTPUT} ${CMAKE_CURRENT_BINARY_DIR}/${ofn} PARENT_SCOPE)
endfunction()

# add_npu_dialect(<td> <dialect>): ops, types, attributes and enums of one dialect.
# Generates <td>{,Dialect,Types,Attributes,Enums}.{h,cpp}.inc and the target <td>IncGen.
function(add_npu_dialect td dialect)
  set(LLVM_TARGET_DEFINITIONS ${td}.td)
  mlir_tablegen(${td}.h.inc -gen-op-decls -dialect=${dialect})
  mlir_tablegen(${td}.cpp.inc -gen-op-defs -dialect=${dialect})
  mlir_tablegen(${td}Dialect.h.inc -gen-dialect-decls -dialect=${dialect})
  mlir_tablegen(${td}Dialect.cpp.inc -gen-dialect-defs -dialect=${dialect})
  mlir_tablegen(${td}Types.h.inc -gen-typedef-decls -typedefs-dialect=${dialect})
  mlir_tablegen(${td}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${dialect})
  mlir_tablegen(${td}Attributes.h.inc -gen-attrdef-decls -attrdefs-dialect=${dialect})
  mlir_tablegen(${td}Attributes.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${dialect})
  mlir_tablegen(${td}Enums.h.inc -gen-enum-decls)
  mlir_tablegen(${td}Enums.cpp.inc -gen-enum-defs)
  add_public_tablegen_target(${td}IncGen)
endfunction()

# add_npu_passes(<name>): declarations of the passes in Passes.td, as Passes.h.inc and <name>PassIncGen.
function(add_npu_passes name)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${name})
  add_public_tablegen_target(NPU${name}PassIncGen)
endfunction()

# add_npu_library(<name> <sources>... [DEPENDS ...] [LINK_LIBS ...]): a library that sees LLVM but no MLIR.
function(add_npu_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} LLVM)
endfunction()

# add_npu_mlir_library: the same for a library on MLIR. All MLIR comes from libMLIR.so:
# a second, static copy in the same binary would duplicate its TypeIDs.
function(add_npu_mlir_library name)
  add_npu_library(${name} ${ARGN})
  target_link_libraries(${name} PUBLIC MLIR)
  npu_use_pch(${name})
endfunction()

# One precompiled header serves every MLIR target.
function(npu_use_pch name)
  if(NPU_ENABLE_PCH AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_precompile_headers(${name} REUSE_FROM NPUPrecompiledHeader)
  endif()
endfunction()

# add_npu_tool(<name> <sources>... [DEPENDS ...] [LINK_LIBS ...]): an executable on MLIR in build/bin.
function(add_npu_tool name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  npu_use_pch(${name})
  set_property(GLOBAL APPEND PROPERTY NPU_TOOLS ${name})
endfunction()

# add_npu_unittest(<name> <sources>... [MLIR] [LINK_LIBS ...]): a GoogleTest binary, known to ctest.
function(add_npu_unittest name)
  cmake_parse_arguments(ARG "MLIR" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main LLVM)
  if(ARG_MLIR)
    target_link_libraries(${name} PRIVATE MLIR)
    npu_use_pch(${name})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
  target_compile_definitions(${name} PRIVATE NPU_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 900)
  set_property(GLOBAL APPEND PROPERTY NPU_TOOLS ${name})
endfunction()
include(GoogleTest)
