// Curves as a table that tools/lab/plot draws.
#pragma once

#include <string>

#include <fmt/format.h>

namespace tools {

class CurveTable {
  public:
    CurveTable(const std::string& title, const std::string& x_title)
        : text_(fmt::format("# {}\n# {}\npanel\tcurve\tx\ty\terror\n", title, x_title)) {}

    // A point with its standard error. The table has the panels and curves in the order in which
    // they are first added.
    void add(const std::string& panel, const std::string& curve, double x, double y, double error) {
        text_ += fmt::format("{}\t{}\t{}\t{:.6g}\t{:.6g}\n", panel, curve, x, y, error);
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
};

}  // namespace tools
