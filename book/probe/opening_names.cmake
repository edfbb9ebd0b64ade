# Writes the lines of the table IN as an array of C++ strings to OUT.
cmake_policy(VERSION 3.25)
file(READ ${IN} text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\t" "\\t" text "${text}")
string(REPLACE "\r" "" text "${text}")
string(REPLACE "\n" "\",\n    \"" text "${text}")
file(WRITE ${OUT}.new "#include \"book/probe/opening_names.h\"

namespace book {
    extern const char* const OpeningLines[];
    const char* const OpeningLines[] = {
    \"${text}\",
        nullptr};

}  // namespace book
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
