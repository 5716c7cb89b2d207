# webnn_library(<name> FOLDER <folder> [LINK <libraries>...] [PRIVATE_LINK <libraries>...] [EXCLUDE <regex>]
#               [WITH <subfolders>...])
#
# A static library of all sources in the calling folder and in the named subfolders. FOLDER is the top-level folder that
# its headers are included by ("schema/..."); it alone is put on the include path, as a link in the build tree. Sources
# whose names end with a processor's (_x86.cpp, _aarch64.cpp) are left out for the others.
#
# webnn_unity(<name> [BATCH <count>])
#
# With WEBNN_UNITY the sources of each folder are compiled in batches of at most <count>: most of the time of a small
# source goes to the headers that it shares with its neighbours. A batch holds sources of one folder alone, so names in
# anonymous namespaces must differ within a folder. A source that is compiled once for each instruction set stays alone.

set(WEBNN_WARNINGS -Wall -Wextra -Wpedantic -Werror)

function(webnn_target_defaults name)
  target_compile_options(${name} PRIVATE ${WEBNN_WARNINGS})
  if(WEBNN_FUZZ)  # by clang, which warns of other things than GCC
    target_compile_options(${name} PRIVATE -Wno-error)
  endif()
  if(WEBNN_SANITIZE)
    # GCC loses track of std::optional and std::variant in instrumented code and warns of what is not there.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_compile_options(${name} PUBLIC -fsanitize=${WEBNN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_compile_definitions(${name} PUBLIC _GLIBCXX_ASSERTIONS)  # what sanitizers do not see, like std::clamp(x, 2, 1)
    target_link_options(${name} PUBLIC -fsanitize=${WEBNN_SANITIZE})
    if(WEBNN_SANITIZE MATCHES address)  # GCC says so itself; without it the tests put their own allocator in ASan's place
      target_compile_definitions(${name} PUBLIC $<$<CXX_COMPILER_ID:Clang>:__SANITIZE_ADDRESS__=1>)
    endif()
    if(CMAKE_CURRENT_SOURCE_DIR MATCHES "/(schema|runtime)")  # runs long; kernels would compile eight times as long with -O1
      target_compile_options(${name} PRIVATE -Og)
    endif()
  endif()
endfunction()

function(webnn_unity name)
  if(NOT WEBNN_UNITY)
    return()
  endif()
  cmake_parse_arguments(ARG "" "BATCH" "" ${ARGN})
  if(NOT ARG_BATCH)
    set(ARG_BATCH 10)
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A source is no longer the main file; GCC then warns of members whose types are local to it.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${name} SOURCES)
  foreach(source ${sources})
    if(NOT EXISTS ${source})  # generated
      continue()
    endif()
    file(STRINGS ${source} per_isa REGEX "^#include \"runtime/cpu/simd/for_[a-z0-9_]*\\.hpp\"" LIMIT_COUNT 1)
    if(per_isa)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      continue()
    endif()
    cmake_path(GET source PARENT_PATH parent)
    file(RELATIVE_PATH group ${CMAKE_SOURCE_DIR} ${parent})
    string(REPLACE "/" "_" group "${group}")
    if(NOT DEFINED count_${group})
      set(count_${group} 0)
    endif()
    math(EXPR batch "${count_${group}} / ${ARG_BATCH}")
    math(EXPR count_${group} "${count_${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${batch})
  endforeach()
endfunction()

function(webnn_include_folder name folder scope)
  set(links ${CMAKE_BINARY_DIR}/include/${folder})
  file(MAKE_DIRECTORY ${links})
  if(NOT EXISTS ${links}/${folder})
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${links}/${folder} SYMBOLIC)
  endif()
  target_include_directories(${name} ${scope} ${links})
endfunction()

function(webnn_library name)
  cmake_parse_arguments(ARG "" "FOLDER;EXCLUDE" "LINK;PRIVATE_LINK;WITH" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(subfolder ${ARG_WITH})
    file(GLOB more CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${subfolder}/*.cpp)
    list(APPEND sources ${more})
  endforeach()
  if(ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX ${ARG_EXCLUDE})
  endif()
  webnn_only_this_processor(sources)
  if(NOT sources)  # headers only
    add_library(${name} INTERFACE)
    webnn_include_folder(${name} ${ARG_FOLDER} INTERFACE)
    target_link_libraries(${name} INTERFACE ${ARG_LINK} ${ARG_PRIVATE_LINK})
    return()
  endif()
  add_library(${name} STATIC ${sources})
  webnn_target_defaults(${name})
  webnn_unity(${name})
  webnn_include_folder(${name} ${ARG_FOLDER} PUBLIC)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE_LINK})
endfunction()
