# The processor that is compiled for: WEBNN_PROCESSOR is `x86` or `aarch64`, the end of the names of sources that are for
# it alone (NAME_x86.cpp). Refuses those that the project does not support.
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  message(FATAL_ERROR "webnn-cli supports 64-bit processors only, and ${CMAKE_CXX_COMPILER} compiles for a 32-bit one")
endif()
if(NOT CMAKE_CXX_BYTE_ORDER STREQUAL "LITTLE_ENDIAN")
  message(FATAL_ERROR "webnn-cli supports little-endian processors only, and ${CMAKE_CXX_COMPILER} compiles for a big-endian one")
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(WEBNN_PROCESSOR x86)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(WEBNN_PROCESSOR aarch64)
else()
  message(FATAL_ERROR "webnn-cli supports x86-64 and 64-bit ARM, and ${CMAKE_CXX_COMPILER} compiles for ${CMAKE_SYSTEM_PROCESSOR}")
endif()

# webnn_only_this_processor(<list>): removes the sources of other processors.
function(webnn_only_this_processor list)
  set(others x86 aarch64)
  list(REMOVE_ITEM others ${WEBNN_PROCESSOR})
  list(FILTER ${list} EXCLUDE REGEX "_${others}\\.cpp$")
  set(${list} "${${list}}" PARENT_SCOPE)
endfunction()
