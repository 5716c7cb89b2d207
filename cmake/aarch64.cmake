# Compiles for 64-bit ARM with Debian's cross compiler, against the root that scripts/arm64-root.sh keeps. Programs of this
# project that the build runs, run in QEMU; flatc and the shader compiler are this machine's.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

set(cache "$ENV{XDG_CACHE_HOME}")
if(NOT cache)
  set(cache "$ENV{HOME}/.cache")
endif()
set(WEBNN_ARM64_ROOT ${cache}/webnn-fresh-machine/arm64 CACHE PATH "A root of Debian's arm64 with the libraries")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WEBNN_ARM64_ROOT)
if(NOT EXISTS ${WEBNN_ARM64_ROOT}/usr/lib)
  message(FATAL_ERROR "there is no root of arm64 in ${WEBNN_ARM64_ROOT}: run scripts/arm64-root.sh")
endif()

set(CMAKE_SYSROOT ${WEBNN_ARM64_ROOT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${WEBNN_ARM64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
