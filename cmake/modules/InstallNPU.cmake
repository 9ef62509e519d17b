# What `cmake --install` copies, and what find_package(NPU) reads of it.
include(CMakePackageConfigHelpers)

set(NPU_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/NPU)
set(NPU_INSTALL_SCRIPTDIR ${CMAKE_INSTALL_DATAROOTDIR}/npu-toolchain)
set(NPU_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/npu-toolchain)

set(tools npu-compile npu-cycles npu-lsp-server npu-opt npu-reduce npu-run npu-tblgen npu-translate)
# Beside MLIR's and LLVM's directory, which is not where the system looks.
set_target_properties(NPU ${tools} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
set_target_properties(NPU PROPERTIES INSTALL_RPATH $ORIGIN)
set_target_properties(${tools} PROPERTIES INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
install(TARGETS NPU ${tools} EXPORT NPUTargets)
install(EXPORT NPUTargets NAMESPACE NPU:: DESTINATION ${NPU_INSTALL_CMAKEDIR})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/NPUConfig.cmake.in NPUConfig.cmake INSTALL_DESTINATION ${NPU_INSTALL_CMAKEDIR}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0, a minor version may change anything.
write_basic_package_version_file(NPUConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/NPUConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/NPUConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/modules/AddNPUPlugin.cmake
        DESTINATION ${NPU_INSTALL_CMAKEDIR})

foreach(include ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  install(DIRECTORY ${include}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.def" PATTERN "*.td" PATTERN CMakeFiles EXCLUDE)
endforeach()

# Scripts whose modules lie beside them, which is not where commands are.
foreach(script npu-quantize npu-sweep)
  file(GLOB modules CONFIGURE_DEPENDS tools/${script}/npu_*.py)
  install(PROGRAMS tools/${script}/${script}.py RENAME ${script} DESTINATION ${NPU_INSTALL_SCRIPTDIR})
  install(FILES ${modules} DESTINATION ${NPU_INSTALL_SCRIPTDIR})
  file(RELATIVE_PATH path /${CMAKE_INSTALL_BINDIR} /${NPU_INSTALL_SCRIPTDIR}/${script})
  file(CREATE_LINK ${path} ${CMAKE_CURRENT_BINARY_DIR}/${script}-link SYMBOLIC)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${script}-link RENAME ${script} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()

install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION ${NPU_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${NPU_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs DESTINATION ${NPU_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE PATTERN man EXCLUDE)
install(DIRECTORY examples DESTINATION ${NPU_INSTALL_DOCDIR} PATTERN __pycache__ EXCLUDE)
# For the shells, completion of all tools is in one file, which bash looks for by the name of each.
install(FILES completions/_npu DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions)
foreach(tool npu-compile npu-cycles npu-lsp-server npu-opt npu-quantize npu-reduce npu-run npu-sweep npu-translate)
  install(FILES docs/man/${tool}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES completions/npu.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions RENAME ${tool})
endforeach()
