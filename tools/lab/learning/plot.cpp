#include "tools/lab/learning/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tools::learning {
namespace {

// Pixels.
constexpr double Width = 760, PanelHeight = 240, Left = 64, Right = 16, Top = 48, Gap = 56,
                 Bottom = 48;
// Source: M. Okabe, K. Ito, "Color Universal Design", 2008: told apart by everybody.
constexpr std::array Colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#000000"};

struct Range {
    double low = 0, high = 0;
    void add(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    [[nodiscard]] double size() const { return high > low ? high - low : 1; }
};

std::string number(double x) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.5g", x);
    return text.data();
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text)
        out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return out;
}

// Where an axis is marked: every 1, 2 or 5 times a power of ten, four to ten times.
std::vector<double> marks(const Range& range) {
    const double rough = range.size() / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double factor = rough / power;
    const double step = power * (factor < 1.5 ? 1 : factor < 3.5 ? 2 : factor < 7.5 ? 5 : 10);
    std::vector<double> found;
    for (auto i = static_cast<int>(std::ceil(range.low / step)); i * step <= range.high; ++i)
        found.push_back(i * step);
    return found;
}

std::string text_at(double x, double y, const std::string& text, const std::string& more) {
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + more + ">" + escaped(text) +
           "</text>\n";
}
std::string
line_from(double x1, double y1, double x2, double y2, const std::string& stroke, double width) {
    return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
           "\" y2=\"" + number(y2) + "\" stroke=\"" + stroke + "\" stroke-width=\"" +
           number(width) + "\"/>\n";
}

// One panel's place on the sheet.
class Sheet {
  public:
    Sheet(Range x, Range y, double top) : x_(x), y_(y), top_(top) {}
    [[nodiscard]] double x(double value) const {
        return Left + (value - x_.low) / x_.size() * (Width - Left - Right);
    }
    [[nodiscard]] double y(double value) const {
        return top_ + PanelHeight - (value - y_.low) / y_.size() * PanelHeight;
    }
    [[nodiscard]] std::string grid() const {
        std::string out;
        for (const double v : marks(y_))
            out += line_from(Left, y(v), Width - Right, y(v), v == 0 ? "#888" : "#ddd", 1) +
                   text_at(Left - 6, y(v) + 4, number(v), "text-anchor=\"end\"");
        for (const double v : marks(x_))
            out += text_at(x(v), top_ + PanelHeight + 16, number(v), "text-anchor=\"middle\"");
        return out;
    }
    [[nodiscard]] std::string curve(const Curve& c, const char* colour) const {
        std::string path, out;
        for (const Point& p : c.points) {
            path += (path.empty() ? "M" : " L") + number(x(p.x)) + ' ' + number(y(p.y));
            if (p.error > 0)
                out += line_from(x(p.x), y(p.y - p.error), x(p.x), y(p.y + p.error), colour, 1);
            out += "<circle cx=\"" + number(x(p.x)) + "\" cy=\"" + number(y(p.y)) +
                   "\" r=\"3\" fill=\"" + colour + "\"/>\n";
        }
        return out + "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour +
               "\" stroke-width=\"2\"/>\n";
    }

  private:
    Range x_, y_;
    double top_;
};

}  // namespace

std::string
to_svg(const std::string& title, const std::string& x_title, const std::vector<Panel>& panels) {
    const double height =
        Top + static_cast<double>(panels.size()) * (PanelHeight + Gap) - Gap + Bottom + 24;
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(Width) +
                      ' ' + number(height) +
                      "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" "
                      "height=\"100%\" fill=\"white\"/>\n" +
                      text_at(Left, 20, title, "font-size=\"15\" font-weight=\"bold\"");
    Range x;
    for (const Panel& panel : panels)
        for (const Curve& curve : panel.curves)
            for (const Point& p : curve.points)
                x.add(p.x);
    double top = Top;
    for (const Panel& panel : panels) {
        Range y;
        for (const Curve& curve : panel.curves)
            for (const Point& p : curve.points) {
                y.add(p.y - p.error);
                y.add(p.y + p.error);
            }
        const Sheet sheet(x, y, top);
        out += text_at(Left, top - 8, panel.title, "font-weight=\"bold\"") + sheet.grid();
        for (std::size_t i = 0; i < panel.curves.size(); ++i)
            out += sheet.curve(panel.curves[i], Colours[i % Colours.size()]);
        top += PanelHeight + Gap;
    }
    out += text_at((Left + Width - Right) / 2, top - Gap + 36, x_title, "text-anchor=\"middle\"");
    if (!panels.empty())
        for (std::size_t i = 0; i < panels[0].curves.size(); ++i) {
            const double at = Left + 170 * static_cast<double>(i);
            out += "<rect x=\"" + number(at) + "\" y=\"" + number(height - 20) +
                   "\" width=\"12\" height=\"12\" fill=\"" + Colours[i % Colours.size()] +
                   "\"/>\n" + text_at(at + 18, height - 10, panels[0].curves[i].name, "");
        }
    return out + "</svg>\n";
}

}  // namespace tools::learning
