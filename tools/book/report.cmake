# Writes a page (IN), with its parts from the folder PARTS in place of "@style.css@" and the like, as an
# array of C++ strings (OUT), one for each line.
cmake_policy(VERSION 3.25)
file(READ ${IN} text)
foreach(part IN ITEMS style.css overview.html draw.js board.js overview.js)
    file(READ ${PARTS}/${part} content)
    string(REPLACE "@${part}@\n" "${content}" text "${text}")
endforeach()
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\",\n    \"" text "${text}")
file(WRITE ${OUT}.new "#include \"tools/book/report_tree.h\"

namespace tools::book_command {

const char* const ReportPage[] = {
    \"${text}\",
    nullptr};

}  // namespace tools::book_command
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
