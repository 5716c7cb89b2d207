# webnn_public_headers(<folder> <header>...)
#
# Copies headers of different folders of the source tree to <folder>/webnn/, as programs outside include them:
# "schema/elements/number.hpp" is <webnn/number.hpp> there. They may include nothing else of the project.
function(webnn_public_headers folder)
  foreach(header ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${header})
    file(READ ${CMAKE_SOURCE_DIR}/${header} text)
    string(REGEX REPLACE "#include \"(api|schema)/([a-z_]+/)*" "#include \"webnn/" text "${text}")
    cmake_path(GET header FILENAME name)
    file(CONFIGURE OUTPUT ${folder}/webnn/${name} CONTENT "${text}" @ONLY)
  endforeach()
endfunction()
