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

# What a target links for MLIR and LLVM: their shared libraries or, if it has the property NPU_STATIC, their archives.
# Never both in one binary: each would have its own TypeIDs. Evaluated for the executable at the end of the chain.
set(NPU_MLIR $<IF:$<BOOL:$<TARGET_PROPERTY:NPU_STATIC>>,NPUStaticMLIR,MLIR>)
set(NPU_LLVM $<IF:$<BOOL:$<TARGET_PROPERTY:NPU_STATIC>>,NPUStaticMLIR,LLVM>)

# npu_link_statically(<name>): a tool without the shared libraries. Loading those takes 50 ms, more than many a model.
function(npu_link_statically name)
  if(NOT NPU_STATIC_TOOLS)
    return()
  endif()
  set_target_properties(${name} PROPERTIES NPU_STATIC ON)
  if(TARGET NPUStaticMLIR)
    return()
  endif()
  # Files, not targets: some of MLIR's targets name the shared libraries as what they need.
  get_property(libraries GLOBAL PROPERTY MLIR_ALL_LIBS)
  foreach(library IN LISTS libraries)
    get_target_property(type ${library} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND archives $<TARGET_FILE:${library}>)
    endif()
  endforeach()
  list(JOIN archives "," archives)
  llvm_map_components_to_libnames(llvm FrontendOpenMP OrcDebugging OrcJIT Passes PerfJITEvents native)
  add_library(NPUStaticMLIR INTERFACE)
  target_link_libraries(NPUStaticMLIR INTERFACE $<LINK_GROUP:RESCAN,${archives}> ${llvm})
  # At a fixed place nothing is left to relocate.
  target_link_options(NPUStaticMLIR INTERFACE -no-pie LINKER:--gc-sections,--as-needed)
endfunction()

# add_npu_library(<name> <sources>... [DEPENDS ...] [LINK_LIBS ...]): a library that sees LLVM but no MLIR.
function(add_npu_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  npu_use_unity(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} ${NPU_LLVM})
  set_property(GLOBAL APPEND PROPERTY NPU_LIBRARIES ${name})
endfunction()

# add_npu_mlir_library: the same for a library on MLIR.
function(add_npu_mlir_library name)
  add_npu_library(${name} ${ARGN})
  target_link_libraries(${name} PUBLIC ${NPU_MLIR})
  npu_use_pch(${name})
endfunction()

# npu_use_unity(<name>): compiles ten sources of a library at once. They read MLIR's headers, and instantiate its
# templates, once.
function(npu_use_unity name)
  if(NPU_UNITY_BUILD)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  endif()
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
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${NPU_MLIR} ${NPU_LLVM})
  npu_use_pch(${name})
  set_property(GLOBAL APPEND PROPERTY NPU_TOOLS ${name})
endfunction()

# add_npu_unittest(<name> <sources>... [MLIR] [LINK_LIBS ...]): a GoogleTest binary, known to ctest.
function(add_npu_unittest name)
  cmake_parse_arguments(ARG "MLIR" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  npu_use_unity(${name})
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
