# webnn_library(<name> FOLDER <folder> [LINK <libraries>...] [PRIVATE_LINK <libraries>...] [EXCLUDE <regex>]
#               [WITH <subfolders>...])
#
# A static library of all sources directly in the calling folder and in the subfolders that are named. FOLDER is the top-level folder that its headers are
# included by ("schema/..."); it alone is put on the include path, as a link in the build tree.

set(WEBNN_WARNINGS -Wall -Wextra -Wpedantic -Werror)

function(webnn_target_defaults name)
  target_compile_options(${name} PRIVATE ${WEBNN_WARNINGS})
  if(WEBNN_SANITIZE)
    # GCC loses track of std::optional and std::variant in instrumented code and warns of what is not there.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_compile_options(${name} PUBLIC -fsanitize=${WEBNN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${name} PUBLIC -fsanitize=${WEBNN_SANITIZE})
    if(CMAKE_CURRENT_SOURCE_DIR MATCHES "/(schema|runtime)")  # runs long; the rest compiles twice as fast without -O1
      target_compile_options(${name} PRIVATE -O1)
    endif()
  endif()
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
  if(NOT sources)  # headers only
    add_library(${name} INTERFACE)
    webnn_include_folder(${name} ${ARG_FOLDER} INTERFACE)
    target_link_libraries(${name} INTERFACE ${ARG_LINK} ${ARG_PRIVATE_LINK})
    return()
  endif()
  add_library(${name} STATIC ${sources})
  webnn_target_defaults(${name})
  webnn_include_folder(${name} ${ARG_FOLDER} PUBLIC)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE_LINK})
endfunction()
