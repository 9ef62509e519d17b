# Makes a wheel: cmake -DBUILD=<build tree> -DPYTHON=<python3> -DWORK=<directory> -DOUTPUT=<directory> -P MakeWheel.cmake
# The library is installed, as one of the build tree looks for others where it was built. WORK is emptied.
include(${BUILD}/python/wheel/wheel.cmake)
file(REMOVE_RECURSE ${WORK})
file(COPY ${BUILD}/python/wheel/ DESTINATION ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component npu-wheel --prefix ${WORK}/library --strip
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
configure_file(${WORK}/library/${soname} ${WORK}/npu/${soname} COPYONLY)
execute_process(COMMAND ${PYTHON} -m pip -q wheel --no-index --no-deps --no-build-isolation --no-cache-dir --disable-pip-version-check
  --wheel-dir ${OUTPUT} ${WORK} COMMAND_ERROR_IS_FATAL ANY)
