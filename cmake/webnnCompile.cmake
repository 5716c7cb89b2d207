# webnn_compile(TARGET MODEL [NAME name] [OPTIONS option...])
#
# Compiles a graph file to a program file when the target is built, and again when the graph, its weights or webnn-cli
# change. The target can include <name.hpp>, which has the names, types and shapes of inputs and outputs and, as
# name::program, the path of the program file. The variable <name>_PROGRAM is that path, too, to install it.
#   NAME     what the files are called; otherwise as the model
#   OPTIONS  of `webnn-cli compile`: --target x86-64-v3 for other machines, --device gpu, --dim batch=1, -O 3
function(webnn_compile target model)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "NAME" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "webnn_compile does not know ${arg_UNPARSED_ARGUMENTS}; it takes a target, a model, NAME and OPTIONS")
  endif()
  if(NOT WEBNN_CLI)
    message(FATAL_ERROR "webnn_compile needs the program webnn-cli; install it, or set WEBNN_CLI to its path")
  endif()
  cmake_path(ABSOLUTE_PATH model BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  if(NOT arg_NAME)
    cmake_path(GET model STEM LAST_ONLY arg_NAME)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}-programs)
  set(program ${folder}/${arg_NAME}.wnnc)
  file(MAKE_DIRECTORY ${folder})
  # Rules of make cannot hold every path. Where they cannot, weights in files of their own are no dependencies.
  set(rule ${folder}/${arg_NAME}.d)
  set(write_rule --depfile ${rule})
  set(read_rule DEPFILE ${rule})
  if("${model} ${program}" MATCHES "[][=|*?%\\]")
    unset(write_rule)
    unset(read_rule)
  endif()
  add_custom_command(
    OUTPUT ${program} ${folder}/${arg_NAME}.hpp
    COMMAND ${WEBNN_CLI} compile ${model} -o ${program} --header ${folder}/${arg_NAME}.hpp
            ${write_rule} --force ${arg_OPTIONS}
    DEPENDS ${model} ${WEBNN_CLI} ${read_rule}
    COMMENT "Compiling ${model} to ${arg_NAME}.wnnc" VERBATIM)
  target_sources(${target} PRIVATE ${program} ${folder}/${arg_NAME}.hpp)
  target_include_directories(${target} PRIVATE ${folder})
  set(${arg_NAME}_PROGRAM ${program} PARENT_SCOPE)
endfunction()
