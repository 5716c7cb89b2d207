#!/bin/bash
# Installs what README's commands need on Debian 12, a minimal one too; with --ci also the programs that some tests use
# (they are skipped without), with --fuzz also what scripts/fuzz.sh needs, with --cross also what scripts/arm64-root.sh
# needs, with --packages also what scripts/packages.sh, container.sh and portable-tarball.sh need. Does nothing, fast,
# when everything is there. Uses sudo unless run as root. With --names it prints the names of the packages instead.
set -euo pipefail

packages=(
  g++                 # C++20 compiler; its libgomp is linked to tell oneDNN to use one thread
  cmake               # 3.25 or newer
  ninja-build         # the generator of every preset
  ccache              # makes rebuilds fast; used when found
  pkg-config          # lets CMake find libraries
  libdnnl-dev         # oneDNN: kernels for convolutions and matrix products (runtime/cpu/onednn)
  ocl-icd-opencl-dev  # its CMake files look for OpenCL, which the package only recommends
  libxnnpack-dev libpthreadpool-dev  # XNNPACK: kernels for any processor (runtime/cpu/xnnpack)
  libcli11-dev        # command-line options (cli)
  libonnx-dev         # the schema of ONNX files (compiler/onnx)
  libprotobuf-dev     # what it is written with
  nlohmann-json3-dev  # graph files (compiler/frontend), reports (cli)
  libflatbuffers-dev flatbuffers-compiler  # program files and binary graphs (schema/file)
  libxxhash-dev       # checksums of these (schema/file)
  libpng-dev          # pictures as inputs (cli)
  libjpeg-dev         # pictures as inputs (cli)
  libseccomp-dev      # --sandbox (cli/sandbox)
  libhwy-dev          # vector kernels (runtime/cpu/simd)
  libvulkan-dev       # headers of Vulkan (runtime/vulkan); the library is looked for at run time
  glslang-tools spirv-tools  # compile and check its shaders
  doctest-dev         # tests
  mesa-vulkan-drivers vulkan-validationlayers  # a GPU in software and what watches its use, for tests
)
names_only=false
for option in "$@"; do
  case $option in
    --names) names_only=true ;;
    --cross)
      packages+=(
        g++-aarch64-linux-gnu  # compiles for 64-bit ARM
        qemu-user-static       # runs what it makes
        mmdebstrap             # makes the root with the libraries
      )
      ;;
    --fuzz)
      packages+=(
        clang libclang-rt-14-dev  # libFuzzer and the sanitizers of Debian 12's clang
        libomp-dev                # its OpenMP, which runtime/cpu/onednn includes
        zip                       # archives of seeds
      )
      ;;
    --packages)
      packages+=(
        dpkg-dev file  # what CPack asks for the dependencies of Debian packages
        lintian        # looks at them
        python3-dev pybind11-dev  # one of them is for Python
        mmdebstrap     # makes the root of the container, and those for rehearsals
        xz-utils       # compresses the archive for other distributions
      )
      ;;
    --ci)
      packages+=(
        clang-format  # checks the format
        chromium      # opens the pages that we write
        groff         # formats manual pages
        fish zsh      # read their completions
        graphviz      # reads drawings as DOT
        libonnx-testdata  # the tests of ONNX itself (tests/onnx)
        nodejs        # runs benchmarks/driver, scripts/wpt-vectors and the tests of bindings/node
        libnode-dev   # Node-API's headers (bindings/node)
        python3-dev pybind11-dev  # headers of Python and of pybind11 (bindings/python)
        python3-numpy python3-venv  # its arrays; where a test installs the module
        python3-dask python3-distributed  # webnn.dask, with a scheduler and workers
        git pre-commit  # runs .pre-commit-hooks.yaml
        curl xz-utils  # scripts/web-platform-tests.sh
        mmdebstrap    # makes the minimal roots of scripts/fresh-machine.sh
      )
      ;;
    *)
      echo "usage: scripts/install-packages.sh [--ci] [--fuzz] [--cross] [--packages] [--names]" >&2
      exit 2
      ;;
  esac
done

if $names_only; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi
missing=()
for package in "${packages[@]}"; do
  # The nodejs of other archives has the headers in it, and refuses Debian's.
  if [[ $package == libnode-dev && -e /usr/include/node/node_api.h ]]; then continue; fi
  [[ $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) == "install ok installed" ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then exit 0; fi

as_root=()
if ((EUID != 0)); then as_root=(sudo); fi
echo "installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
