# Run with cmake -P: copies the library IN to OUT and adds .SUFFIX to the name of all that it defines, but
# not to KEEP. COMDAT sections need names of their own, too, for the linker keeps one of each name.
cmake_policy(VERSION 3.25)

execute_process(COMMAND ${NM} -j --defined-only --extern-only ${IN} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
list(FILTER symbols EXCLUDE REGEX ":$")  # members of the library
list(REMOVE_ITEM symbols ${KEEP})
list(TRANSFORM symbols REPLACE "(.+)" "--redefine-sym=\\1=\\1.${SUFFIX}")

execute_process(COMMAND ${OBJDUMP} -h ${IN} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[.][a-z.]+[$][^ ]+" sections "${sections}")
list(TRANSFORM sections REPLACE "(.+)" "--rename-section=\\1=\\1.${SUFFIX}\n--redefine-sym=\\1=\\1.${SUFFIX}")

set(options ${symbols} ${sections})
list(REMOVE_DUPLICATES options)
list(JOIN options "\n" options)
file(WRITE ${OUT}.options "${options}\n")
execute_process(COMMAND ${OBJCOPY} @${OUT}.options ${IN} ${OUT} COMMAND_ERROR_IS_FATAL ANY)
