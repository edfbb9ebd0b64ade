# Run with cmake -P: fails unless BENCH, run under PREFIX with OPTIONS, searches as many nodes as
# data/bench.signature says.
cmake_policy(VERSION 3.25)
file(STRINGS ${ROOT}/data/bench.signature signature LIMIT_COUNT 1)
execute_process(COMMAND ${PREFIX} ${BENCH} ${OPTIONS}
    OUTPUT_VARIABLE output RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
message("${output}")
if(NOT status EQUAL 0)
    message(FATAL_ERROR "exit status ${status}")
endif()
string(REPLACE "\n" ";" lines "${output}")
foreach(line IN LISTS lines)
    if(NOT line MATCHES "^${signature} nodes ")
        message(FATAL_ERROR "not ${signature} nodes: ${line}")
    endif()
endforeach()
