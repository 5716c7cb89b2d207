# Debian packages: `cpack -G DEB` makes those below, each of a component (scripts/packages.sh,
# cmake/packages/README.md). They are for a build with -DCMAKE_INSTALL_PREFIX=/usr, where libraries go into the folder
# of their processor.
include(GNUInstallDirs)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME webnn)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)

set(WEBNN_MAINTAINER "webnn-cli maintainers <maintainers@webnn-cli.invalid>" CACHE STRING
    "Who answers for the Debian packages: NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT ${WEBNN_MAINTAINER})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SOURCE webnn)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Before 1.0 a minor version may change the interface, so what links the library depends on this one. CPack writes the
# policy, the version and a bracket.
math(EXPR next_minor "${PROJECT_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY
    "<< ${PROJECT_VERSION_MAJOR}.${next_minor}~), libwebnn${PROJECT_VERSION_MAJOR} (>=")
set(debian_version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

# The changelog is written by hand; a release without an entry is not packed.
set(package_files ${CMAKE_CURRENT_LIST_DIR}/packages)
file(STRINGS ${package_files}/changelog newest LIMIT_COUNT 1)
if(NOT newest MATCHES "^webnn \\(${debian_version}\\) ")
  message(FATAL_ERROR "cmake/packages/changelog begins with \"${newest}\", not with version ${debian_version}")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${package_files}/changelog)

# webnn_package(<component> <name> <section> <description>): the package of a component, and of debian_<component>,
# which has what Debian alone wants and starts with the documents of each package.
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
function(webnn_package component name section description)
  string(TOUPPER ${component} upper)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} debian_${component} PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_GROUP ${component} PARENT_SCOPE)
  set(CPACK_COMPONENT_DEBIAN_${upper}_GROUP ${component} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION ${description} PARENT_SCOPE)
  set(documents ${CMAKE_INSTALL_DATADIR}/doc/${name})
  install(FILES ${package_files}/copyright DESTINATION ${documents} COMPONENT debian_${component} EXCLUDE_FROM_ALL)
  webnn_install_compressed(debian_${component} ${package_files}/changelog ${documents} changelog.Debian)
endfunction()

# webnn_install_compressed(<component> <pattern> <folder> [<name>]): the files as gzip has them, named NAME.gz.
function(webnn_install_compressed component pattern folder)
  install(CODE "
    file(GLOB files \"${pattern}\")
    if(NOT files)
      message(FATAL_ERROR \"nothing is there to install: ${pattern}\")
    endif()
    foreach(file \${files})
      set(name \"${ARGN}\")
      if(NOT name)
        cmake_path(GET file FILENAME name)
      endif()
      set(installed \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/\${name}\")
      configure_file(\"\${file}\" \"\${installed}\" COPYONLY NO_SOURCE_PERMISSIONS)
      execute_process(COMMAND gzip -9nf \"\${installed}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()" COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

webnn_package(program webnn-cli science "W3C WebNN graphs on the command line
webnn-cli checks, compiles, runs, measures and compares graphs of the Web
Neural Network API (WebNN) without a browser. It reads webnn-graph-json, its
own text and binary forms, and ONNX, and runs them on CPUs and, by Vulkan, on
GPUs.
.
The package holds the program, its manual pages and its completions for bash,
zsh and fish. The program contains the compiler and the runtime and needs no
other package of this source.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS libvulkan1)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_MULTIARCH foreign)
# Debian's manual pages are compressed, and its zsh looks for completions elsewhere than others do: of the files that
# cli/CMakeLists.txt installs, the component `shell` is in no package.
webnn_install_compressed(debian_program ${CMAKE_BINARY_DIR}/cli/shell/man1/*.1 ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/cli/shell/_webnn-cli DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
        COMPONENT debian_program EXCLUDE_FROM_ALL)

webnn_package(library libwebnn${PROJECT_VERSION_MAJOR} libs "W3C WebNN graph compiler and runtime, shared library
libwebnn compiles graphs of the Web Neural Network API (WebNN) and runs them on
CPUs and, by Vulkan, on GPUs. It has the contexts, graph builders, tensors and
dispatches of the W3C specification in C++20 and in C99.
.
The package holds the shared library.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS libvulkan1)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_MULTIARCH same)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${package_files}/triggers)

webnn_package(development libwebnn-dev libdevel "W3C WebNN graph compiler and runtime, development files
libwebnn compiles graphs of the Web Neural Network API (WebNN) and runs them on
CPUs and, by Vulkan, on GPUs. It has the contexts, graph builders, tensors and
dispatches of the W3C specification in C++20 and in C99.
.
The package holds what programs that use the library are compiled with: its
headers, and its descriptions for CMake and pkg-config.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_MULTIARCH same)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libwebnn${PROJECT_VERSION_MAJOR} (= ${debian_version})")

if(TARGET webnn-python)
  webnn_package(python python3-webnn python "W3C WebNN graphs in Python
The module webnn loads graphs of the Web Neural Network API (WebNN), ONNX files
among them, and runs them on NumPy arrays. It has the graph builder, contexts,
tensors and dispatches of the W3C specification, and functions that compile,
compare, profile and measure graph files.")
  set(modules lib/python3/dist-packages/webnn)
  install(TARGETS webnn-python LIBRARY DESTINATION ${modules} COMPONENT python EXCLUDE_FROM_ALL)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/bindings/python/webnn/ DESTINATION ${modules} COMPONENT python EXCLUDE_FROM_ALL
          FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
  # The native part is for this minor version of Python alone.
  get_directory_property(minor DIRECTORY ${CMAKE_SOURCE_DIR}/bindings/python DEFINITION Python_VERSION_MINOR)
  math(EXPR next_minor "${minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${minor}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${package_files}/python/postinst ${package_files}/python/prerm)
endif()

include(CPack)
