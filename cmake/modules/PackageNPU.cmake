# `cpack --config build/CPackConfig.cmake` makes npu-toolchain_<version>_<architecture>.deb of what InstallNPU.cmake installs.
set(NPU_MAINTAINER "The maintainers of the NPU toolchain <maintainers@npu-toolchain.invalid>" CACHE STRING "Maintainer of the package")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME npu-toolchain)
set(CPACK_PACKAGE_CONTACT ${NPU_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION "Compiles neural networks, in ONNX or MLIR, to assembly and binaries of a neural processing unit,
and runs them on a simulator that checks every access. For compiler engineers: every pass can be
run alone, and plugins, C++ and C can build on the libraries.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${LLVM_LIBRARY_OUTPUT_INTDIR} ${LLVM_LIBRARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# For C++ on the headers: plugins.
set(llvm ${LLVM_VERSION_MAJOR})
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, libmlir-${llvm}-dev, llvm-${llvm}-dev, mlir-${llvm}-tools")
# For npu-sweep, npu-quantize and the package npu of Python, which has no compiled code.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "parallel, python3, python3-numpy, python3-onnx")
set(CPACK_DEBIAN_PACKAGE_PROVIDES python3-npu)
# What Python has compiled of the package npu is no file of this package.
file(WRITE ${PROJECT_BINARY_DIR}/prerm "#!/bin/sh\nset -e\nrm -rf /usr/${NPU_INSTALL_PYTHONDIR}/npu/__pycache__\n")
file(CHMOD ${PROJECT_BINARY_DIR}/prerm PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/prerm)
include(CPack)
