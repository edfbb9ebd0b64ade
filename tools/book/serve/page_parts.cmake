# Writes the files PARTS (names separated by '|') of the folder FROM as a table of PagePart (OUT). The
# live page has what it shares with the report in place of "@overview.html@".
cmake_policy(VERSION 3.25)
string(REPLACE "|" ";" parts "${PARTS}")
file(READ ${FROM}/overview.html overview)
set(code "")
set(rows "")
foreach(part IN LISTS parts)
    file(READ ${FROM}/${part} text)
    string(REPLACE "@overview.html@\n" "${overview}" text "${text}")
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\",\n    \"" text "${text}")
    string(MAKE_C_IDENTIFIER ${part} name)
    string(APPEND code "const char* const ${name}[] = {\n    \"${text}\",\n    nullptr};\n")
    set(path /${part})
    if(part MATCHES "[.]css$")
        set(type "text/css; charset=utf-8")
    elseif(part MATCHES "[.]js$")
        set(type "text/javascript; charset=utf-8")
    elseif(part MATCHES "[.]svg$")
        set(type image/svg+xml)
    else()
        set(type "text/html; charset=utf-8")
        set(path /)
    endif()
    string(APPEND rows "    {\"${path}\", \"${type}\", ${name}},\n")
endforeach()
file(WRITE ${OUT}.new "#include \"tools/book/serve/page_parts.h\"

namespace tools::book_command {
namespace {

// NOLINTBEGIN(readability-identifier-naming): the files' names
${code}// NOLINTEND(readability-identifier-naming)
}  // namespace

const PagePart PageParts[] = {
${rows}    {nullptr, nullptr, nullptr}};

}  // namespace tools::book_command
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
