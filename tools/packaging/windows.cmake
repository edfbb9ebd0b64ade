# Cross-compiles for 64-bit Windows with Debian's mingw-w64 and the static libraries that
# windows_libraries.sh builds. No name of a folder of this system gets into the programs.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
set(libraries ${root}build/windows-libraries)
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${libraries}/include)
set(CMAKE_CXX_FLAGS_INIT -ffile-prefix-map=${root}=)
# The stack of a thread is as large as under Linux.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -L${libraries}/lib -Wl,--no-insert-timestamp,--stack,0x800000")
set(CMAKE_FIND_ROOT_PATH ${libraries})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(CMAKE_CROSSCOMPILING_EMULATOR wine)
