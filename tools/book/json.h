// Writes JSON, also safe inside a script of an HTML page.
#pragma once

#include <string>
#include <string_view>

namespace tools {

// In quotes. What is no UTF-8 is read as Latin-1, and '<' is written so that it ends no script.
std::string json_text(std::string_view text);
// With so many digits after the point, trailing zeros left out.
std::string json_number(double value, int digits = 3);

// Puts commas between members. Names are ours and need no escapes.
class JsonWriter {
  public:
    JsonWriter& open(char bracket);  // '{' or '['
    JsonWriter& close(char bracket);
    JsonWriter& name(std::string_view name);  // of the member that follows
    JsonWriter& raw(std::string_view value);  // JSON as it is
    JsonWriter& text(std::string_view value) { return raw(json_text(value)); }
    JsonWriter& number(long long value) { return raw(std::to_string(value)); }
    JsonWriter& number(double value, int digits) { return raw(json_number(value, digits)); }
    [[nodiscard]] const std::string& str() const { return out_; }

  private:
    void separate();
    std::string out_;
    bool first_ = true;  // of the innermost bracket
};

}  // namespace tools
