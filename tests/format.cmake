# Run with cmake -P: fails if clang-format would change a file of ours.
cmake_policy(VERSION 3.25)
file(GLOB_RECURSE files
    ${ROOT}/engine/*.h ${ROOT}/engine/*.cpp ${ROOT}/book/*.h ${ROOT}/book/*.cpp
    ${ROOT}/protocol/*.h ${ROOT}/protocol/*.cpp ${ROOT}/tools/*.h ${ROOT}/tools/*.cpp
    ${ROOT}/tests/*.h ${ROOT}/tests/*.cpp)
execute_process(COMMAND ${CLANG_FORMAT} --dry-run -Werror ${files} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "clang-format -i puts that right")
endif()
