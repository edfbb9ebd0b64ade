// Curves with error bars as an SVG picture: panels one above the other, with the same x axis.
#pragma once

#include <string>
#include <vector>

namespace tools::learning {

struct Point {
    double x = 0, y = 0, error = 0;  // error: half the height of the bar
};
struct Curve {
    std::string name;
    std::vector<Point> points;
};
struct Panel {
    std::string title;          // with the unit
    std::vector<Curve> curves;  // up to six; the same index has the same colour in every panel
};

// Panels without points stay empty; the y axis covers all points with their bars, and 0.
std::string
to_svg(const std::string& title, const std::string& x_title, const std::vector<Panel>& panels);

}  // namespace tools::learning
