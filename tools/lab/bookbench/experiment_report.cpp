#include "tools/lab/bookbench/experiment_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tools::bookbench {
namespace {

constexpr int Columns = 2;  // of panels
constexpr int PanelWidth = 460, PanelHeight = 300, Left = 52, Right = 12, Top = 34, Bottom = 40;
constexpr int Header = 40, LegendLine = 18, LegendColumns = 4;
// Told apart by those who see few colours, too: the dashes differ as well.
constexpr const char* Colours[] = {"#888888",
                                   "#0072b2",
                                   "#d55e00",
                                   "#009e73",
                                   "#cc79a7",
                                   "#e69f00",
                                   "#56b4e9",
                                   "#000000",
                                   "#7b5ea7",
                                   "#8c564b"};
constexpr const char* Dashes[] = {"2 3", "none", "6 3", "1 2", "8 3 2 3"};

template <typename... Values>
std::string formatted(const char* format, Values... values) {
    std::array<char, 400> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

std::string colour(std::size_t line) {
    return Colours[line % std::size(Colours)];
}
std::string stroke(std::size_t line) {
    return "stroke=\"" + colour(line) + "\" stroke-dasharray=\"" +
           Dashes[line == 0 ? 0 : 1 + (line - 1) % (std::size(Dashes) - 1)] + "\"";
}

// The next of 1, 2, 5, 10 ... times a power of ten.
double round_step(double least) {
    double step = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (step * factor >= least)
            return step * factor;
    return step * 10;
}

std::string text_at(double x, double y, const char* anchor, const std::string& words) {
    return formatted("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor) + words +
           "</text>\n";
}

std::string panel(const Plan& plan, const Table& table) {
    const double width = PanelWidth - Left - Right, height = PanelHeight - Top - Bottom;
    double highest = 0.01;
    for (const Line& line : table.lines)
        for (const double v : line.per_hundred)
            highest = std::max(highest, v);
    const double step = round_step(highest / 5);
    const double scale = height / (step * std::ceil(highest / step));
    const auto x_of = [&](double games) { return Left + width * games / plan.games; };
    const auto y_of = [&](double points) { return Top + height - scale * points; };
    std::string svg = "<g font-weight=\"bold\">" +
                      text_at(Left, Top - 12, "start", name_of(table.scenario)) + "</g>\n";
    for (double v = 0; v < highest + step / 2; v += step) {
        svg += formatted("<line x1=\"%d\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
                         Left,
                         Left + width,
                         y_of(v),
                         y_of(v));
        svg += text_at(Left - 6, y_of(v) + 4, "end", formatted("%.3g", v));
    }
    const int hundreds = std::max(100, static_cast<int>(round_step(plan.games / 6.0)));
    for (int games = 0; games <= plan.games; games += hundreds)
        svg += text_at(x_of(games), Top + height + 16, "middle", std::to_string(games));
    svg += text_at(Left + width / 2, Top + height + 32, "middle", "games");
    for (std::size_t i = 0; i < table.lines.size(); ++i) {
        svg += "<polyline fill=\"none\" stroke-width=\"1.8\" " + stroke(i) + " points=\"";
        const std::vector<double>& values = table.lines[i].per_hundred;
        for (std::size_t h = 0; h < values.size(); ++h)  // in the middle of its hundred
            svg +=
                formatted("%.1f,%.1f ", x_of(100 * static_cast<double>(h) + 50), y_of(values[h]));
        svg += "\"/>\n";
    }
    return svg;
}

}  // namespace

std::string to_text(const Plan& plan, const Table& table) {
    const bool exploit = table.scenario == Scenario::Exploit;
    std::string text = formatted("%s: worlds %llu-%llu, %d games\n",
                                 name_of(table.scenario),
                                 static_cast<unsigned long long>(plan.first_world),
                                 static_cast<unsigned long long>(plan.last_world),
                                 plan.games);
    text += "rule             % of random    +-   regret   last 300";
    text += exploit ? "   against the exploiter    +-\n" : "\n";
    for (const Line& line : table.lines) {
        text += formatted("%-16s %11.1f %5.1f %8.1f %10.4f",
                          line.rule.c_str(),
                          line.percent.mean,
                          line.percent.error,
                          line.regret.mean,
                          line.lately());
        if (exploit)
            text += formatted(" %23.3f %5.3f", line.exploiter.mean, line.exploiter.error);
        text += '\n';
    }
    text += "\npoints lost a game in each hundred games\n  games";
    for (const Line& line : table.lines)
        text += formatted(" %15s", line.rule.c_str());
    for (std::size_t h = 0; h < table.lines.front().per_hundred.size(); ++h) {
        text += formatted("\n%7zu", 100 * (h + 1));
        for (const Line& line : table.lines)
            text += formatted(" %15.4f", line.per_hundred[h]);
    }
    return text + "\n";
}

std::string to_svg(const Plan& plan, const std::vector<Table>& tables) {
    const int count = static_cast<int>(tables.size());
    const int columns = std::min(Columns, count), rows = (count + Columns - 1) / Columns;
    const std::vector<Line>& lines = tables.front().lines;
    const int legend =
        LegendLine * ((static_cast<int>(lines.size()) + LegendColumns - 1) / LegendColumns);
    const int width = columns * PanelWidth, height = Header + legend + rows * PanelHeight;
    std::string svg =
        formatted("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                  width,
                  height,
                  width,
                  height);
    svg += text_at(Left,
                   24,
                   "start",
                   formatted("Points lost a game against the best moves, worlds %llu-%llu",
                             static_cast<unsigned long long>(plan.first_world),
                             static_cast<unsigned long long>(plan.last_world)));
    const int entry = (width - Left) / LegendColumns;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const int x = Left + static_cast<int>(i) % LegendColumns * entry;
        const int y = Header + static_cast<int>(i) / LegendColumns * LegendLine + 4;
        svg += formatted("<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke-width=\"1.8\" ",
                         x,
                         x + 24,
                         y,
                         y) +
               stroke(i) + "/>\n" + text_at(x + 30, y + 4, "start", lines[i].rule);
    }
    for (int i = 0; i < count; ++i)
        svg += formatted("<g transform=\"translate(%d %d)\">\n",
                         i % Columns * PanelWidth,
                         Header + legend + i / Columns * PanelHeight) +
               panel(plan, tables[static_cast<std::size_t>(i)]) + "</g>\n";
    return svg + "</svg>\n";
}

}  // namespace tools::bookbench
