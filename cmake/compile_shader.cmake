# cmake -DSOURCE=.. -DDEFINITIONS=A,B -DOUTPUT=.. -DGLSLANG=.. -DSPIRV_VAL=.. -DTRANSLATE=.. -DINCLUDE=A,B
#   -P compile_shader.cmake
#
# Compiles a shader to SPIR-V, validates it, and writes its words as the elements of a C++ array. One that uses cooperative matrices is
# validated as the compiler wrote it, with NVIDIA's extension, and then translated (TRANSLATE, words of a command) to
# Khronos' one.
string(REPLACE "," ";" definitions "${DEFINITIONS}")
list(TRANSFORM definitions PREPEND "-D")
string(REPLACE "," ";" include "${INCLUDE}")
list(TRANSFORM include PREPEND "-I")
set(spirv ${OUTPUT}.spv)
execute_process(COMMAND ${GLSLANG} -V --quiet --target-env vulkan1.2 ${definitions} ${include} -o ${spirv} ${SOURCE}
                RESULT_VARIABLE result OUTPUT_VARIABLE messages ERROR_VARIABLE messages)
if(result)
  message(FATAL_ERROR "${SOURCE} does not compile with ${definitions}:\n${messages}")
endif()
execute_process(COMMAND ${SPIRV_VAL} --target-env vulkan1.2 --scalar-block-layout ${spirv}
                RESULT_VARIABLE result OUTPUT_VARIABLE messages ERROR_VARIABLE messages)
if(result)
  message(FATAL_ERROR "the SPIR-V of ${SOURCE} with ${definitions} is not valid:\n${messages}")
endif()
if(definitions MATCHES "-DCOOPERATIVE" AND NOT definitions MATCHES "-DEMULATED")
  string(REPLACE "," ";" translate "${TRANSLATE}")
  execute_process(COMMAND ${translate} ${spirv} ${OUTPUT}.khr.spv
                  RESULT_VARIABLE result OUTPUT_VARIABLE messages ERROR_VARIABLE messages)
  if(result)
    message(FATAL_ERROR "the SPIR-V of ${SOURCE} with ${definitions} cannot be translated:\n${messages}")
  endif()
  set(spirv ${OUTPUT}.khr.spv)
endif()
file(READ ${spirv} bytes HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1u," words "${bytes}")
string(REGEX REPLACE "(0x........u,0x........u,0x........u,0x........u,)" "\\1\n" words "${words}")
file(WRITE ${OUTPUT} "${words}\n")
