# Writes a page (IN) as an array of C++ strings (OUT), one for each line.
cmake_policy(VERSION 3.25)
file(READ ${IN} text)
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
