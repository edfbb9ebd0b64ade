// The tables of a book file, and the formats of earlier versions. Only for database.cpp.
#pragma once

#include <array>

namespace book {

inline constexpr int FormatVersion = 7;

inline constexpr const char* Schema = R"(
CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
CREATE TABLE source (                    -- one row: one file of games that was imported
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, digest BLOB, bytes INTEGER NOT NULL,
    added INTEGER NOT NULL,              -- seconds since 1970
    games INTEGER NOT NULL, moves INTEGER NOT NULL, settings TEXT NOT NULL,
    run INTEGER NOT NULL DEFAULT 0) STRICT;  -- 1 if its moves were counted with those of the sources before it
CREATE TABLE kept (                      -- imported games, so that an import can be forgotten; see import/kept_games
    id INTEGER PRIMARY KEY, source INTEGER NOT NULL, games BLOB NOT NULL) STRICT;
CREATE TABLE imported (hash INTEGER PRIMARY KEY) STRICT;  -- every game that was imported, by its content
CREATE TABLE edge (                      -- one row: one move in imported games
    key INTEGER NOT NULL,                -- PolyGlot's key of the position
    move INTEGER NOT NULL,               -- 16 bits, complemented when Black moves
    -- One game as a number: outcome (0 White won, 1 drawn, 2 Black won, 3 unknown) + 4 * year code (0 unknown,
    -- else year - 1899) + 1024 * the mover's rating (0 unknown). More as a blob of numbers of 7 bits a byte, low
    -- ones first: White won, drawn, Black won, unknown, rated games, sum of their ratings, latest year's code.
    counts ANY NOT NULL,
    PRIMARY KEY (key, move)) STRICT, WITHOUT ROWID;
CREATE TABLE analysis (                  -- what a search said of a move
    key INTEGER NOT NULL, move INTEGER NOT NULL, cp INTEGER NOT NULL,  -- the mover's
    depth INTEGER NOT NULL, nodes INTEGER NOT NULL, engine TEXT NOT NULL, at INTEGER NOT NULL,
    source INTEGER NOT NULL DEFAULT 0,   -- of the import that brought it; 0: a search of ours
    PRIMARY KEY (key, move)) STRICT, WITHOUT ROWID;
CREATE TABLE flag (key INTEGER NOT NULL, move INTEGER NOT NULL, flags INTEGER NOT NULL,
    PRIMARY KEY (key, move)) STRICT, WITHOUT ROWID;
CREATE TABLE opponent (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, server TEXT NOT NULL COLLATE NOCASE,
    computer INTEGER NOT NULL, rating INTEGER NOT NULL,
    games INTEGER NOT NULL DEFAULT 0, wins INTEGER NOT NULL DEFAULT 0, draws INTEGER NOT NULL DEFAULT 0,
    losses INTEGER NOT NULL DEFAULT 0,   -- ours
    sn REAL NOT NULL DEFAULT 0, ss REAL NOT NULL DEFAULT 0,  -- decayed: games at an exit
                                         -- that was lost to them before, our overperformance in these
    last INTEGER NOT NULL DEFAULT 0,
    advantage REAL NOT NULL DEFAULT 0,   -- how much more than ratings predict we score against them: points a game
    UNIQUE (name, server)) STRICT;
CREATE TABLE opponent_line (             -- exits, and positions after our move, that this opponent beat
    opponent INTEGER NOT NULL, key INTEGER NOT NULL, losses INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (opponent, key)) STRICT, WITHOUT ROWID;
CREATE TABLE opponent_exit (             -- results at an exit by opponent (0: unknown), which node.s0 and s1 sum up
    key INTEGER NOT NULL, side INTEGER NOT NULL, class INTEGER NOT NULL, opponent INTEGER NOT NULL,
    s0 REAL NOT NULL, s1 REAL NOT NULL, t INTEGER NOT NULL,
    PRIMARY KEY (key, side, class, opponent)) STRICT, WITHOUT ROWID;
CREATE TABLE opponent_repeat (           -- what repeated games do not count for others, at positions after our moves
    opponent INTEGER NOT NULL, key INTEGER NOT NULL, side INTEGER NOT NULL, class INTEGER NOT NULL,
    s0 REAL NOT NULL, s1 REAL NOT NULL,
    PRIMARY KEY (opponent, key, side, class)) STRICT, WITHOUT ROWID;
CREATE TABLE game (                      -- own games: the truth that the tables below are made of
    id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, content INTEGER NOT NULL,  -- hash of start, moves, result
    clock INTEGER NOT NULL, epoch INTEGER NOT NULL, played INTEGER NOT NULL, side INTEGER NOT NULL,
    opponent INTEGER, own_rating INTEGER NOT NULL, their_rating INTEGER NOT NULL, class INTEGER NOT NULL,
    score REAL, term INTEGER NOT NULL,
    state INTEGER NOT NULL,              -- 0 pending, 1 applied, 2 unlearned, 3 rejected
    exit_ply INTEGER, exit_cp INTEGER NOT NULL, exit_depth INTEGER NOT NULL,
    weight REAL NOT NULL, result REAL NOT NULL,
    surprise REAL NOT NULL,              -- LoggedGame::overperformance; the three are fixed when the game is learned
    engine TEXT NOT NULL, reason TEXT NOT NULL, start TEXT, moves BLOB NOT NULL, draws TEXT NOT NULL,
    time_control TEXT NOT NULL DEFAULT '', event TEXT NOT NULL DEFAULT '',  -- as in PGN; '': unknown
    exit_key INTEGER, analysed_cp INTEGER,  -- fixed too; the second: of our last book move, ours
    analysed_nodes INTEGER,              -- of that analysis
    source INTEGER NOT NULL DEFAULT 0) STRICT;  -- of the import that brought it; 0: played with this book
CREATE INDEX game_content ON game (content);
CREATE INDEX game_clock ON game (clock);
CREATE INDEX game_applied ON game (clock) WHERE state = 1;
CREATE INDEX game_pending ON game (played) WHERE state = 0;
CREATE TABLE node (                      -- positions of own games
    key INTEGER NOT NULL, side INTEGER NOT NULL, class INTEGER NOT NULL,  -- side: ours
    bits INTEGER NOT NULL,               -- 32 bits of a second hash
    rank INTEGER NOT NULL,               -- rises along every line
    n INTEGER NOT NULL, exits INTEGER NOT NULL, s0 REAL NOT NULL, s1 REAL NOT NULL,
    cp INTEGER, cp_depth INTEGER NOT NULL, cp_at INTEGER NOT NULL,
    v REAL NOT NULL, e REAL NOT NULL, t INTEGER NOT NULL,
    w REAL NOT NULL DEFAULT 0,           -- the exits by their weight as visits
    PRIMARY KEY (key, side, class)) STRICT, WITHOUT ROWID;
CREATE TABLE visit (                     -- moves of own games
    key INTEGER NOT NULL, side INTEGER NOT NULL, class INTEGER NOT NULL, move INTEGER NOT NULL,
    child INTEGER NOT NULL, n INTEGER NOT NULL,
    exits INTEGER NOT NULL,              -- games that left the book here and went on with this move
    wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
    w REAL NOT NULL DEFAULT 0,           -- the visits: recent ones weigh more, repeated games less
    PRIMARY KEY (key, side, class, move)) STRICT, WITHOUT ROWID;
CREATE INDEX visit_child ON visit (child, side, class);
CREATE TABLE queue (key INTEGER PRIMARY KEY, fen TEXT NOT NULL, priority REAL NOT NULL, owner TEXT NOT NULL,
    lease INTEGER NOT NULL) STRICT;
CREATE TABLE change (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
    undo TEXT NOT NULL, clock INTEGER NOT NULL DEFAULT 0) STRICT;
)";

// Views for formats before 4: they add the missing columns and tables, with old or neutral values.
#define VIEWS_BEFORE_4                                                                             \
    "CREATE TEMP VIEW node AS SELECT *, exits AS w FROM main.node;"                                \
    "CREATE TEMP VIEW visit AS SELECT *, n AS w FROM main.visit;"                                  \
    "CREATE TEMP VIEW opponent AS SELECT *, 0 AS advantage FROM main.opponent;"                    \
    "CREATE TEMP VIEW opponent_exit AS SELECT key, side, class, 0 AS opponent, s0, s1, t"          \
    " FROM main.node WHERE exits > 0;"                                                             \
    "CREATE TEMP VIEW opponent_repeat AS SELECT 0 AS opponent, key, side, class, s0, s1"           \
    " FROM main.node WHERE FALSE;"                                                                 \
    "CREATE TEMP VIEW source AS SELECT *, 0 AS run FROM main.source;"                              \
    "CREATE TEMP VIEW analysis AS SELECT *, 0 AS source FROM main.analysis;"                       \
    "CREATE TEMP VIEW kept AS SELECT 0 AS id, 0 AS source, x'' AS games WHERE FALSE;"

// A step from one format to the next.
struct FormatStep {
    const char* migrate;  // in a transaction
    const char* read;     // for a file that cannot be written: views of its tables as they are now
};
inline constexpr std::array FormatSteps{
    // Format 1 lacked what calibration needs in the log.
    FormatStep{.migrate = R"(
ALTER TABLE game ADD COLUMN exit_key INTEGER;
ALTER TABLE game ADD COLUMN analysed_cp INTEGER;
CREATE INDEX game_applied ON game (clock) WHERE state = 1;
)",
               .read = R"(
CREATE TEMP VIEW game AS SELECT *, NULL AS exit_key, NULL AS analysed_cp, '' AS time_control,
    '' AS event, NULL AS analysed_nodes, 0 AS source FROM main.game;
CREATE TEMP VIEW change AS SELECT *, 0 AS clock FROM main.change;
)" VIEWS_BEFORE_4},
    // In format 2 the note of a game took a step of the clock, and its result another one:
    // open_store() renumbers the games of the log.
    FormatStep{.migrate = R"(
ALTER TABLE game ADD COLUMN time_control TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN event TEXT NOT NULL DEFAULT '';
CREATE INDEX game_pending ON game (played) WHERE state = 0;
ALTER TABLE change ADD COLUMN clock INTEGER NOT NULL DEFAULT 0;
UPDATE change SET clock = CAST(substr(undo, 7) AS INTEGER) WHERE undo LIKE 'clock %';
INSERT OR REPLACE INTO meta VALUES ('clock counts notes', 1);
)",
               .read = R"(
CREATE TEMP VIEW game AS SELECT *, '' AS time_control, '' AS event, NULL AS analysed_nodes,
    0 AS source FROM main.game;
CREATE TEMP VIEW change AS SELECT *, 0 AS clock FROM main.change;
)" VIEWS_BEFORE_4},
    // Format 3 did not record which import brought a row, counted repeated games in full for every
    // opponent, and did not age visits: open_store() computes the derived tables anew.
    FormatStep{.migrate = R"(
ALTER TABLE game ADD COLUMN analysed_nodes INTEGER;
ALTER TABLE game ADD COLUMN source INTEGER NOT NULL DEFAULT 0;
ALTER TABLE analysis ADD COLUMN source INTEGER NOT NULL DEFAULT 0;
ALTER TABLE source ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
CREATE TABLE kept (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, games BLOB NOT NULL) STRICT;
ALTER TABLE node ADD COLUMN w REAL NOT NULL DEFAULT 0;
ALTER TABLE visit ADD COLUMN w REAL NOT NULL DEFAULT 0;
ALTER TABLE opponent ADD COLUMN advantage REAL NOT NULL DEFAULT 0;
CREATE TABLE opponent_exit (
    key INTEGER NOT NULL, side INTEGER NOT NULL, class INTEGER NOT NULL, opponent INTEGER NOT NULL,
    s0 REAL NOT NULL, s1 REAL NOT NULL, t INTEGER NOT NULL,
    PRIMARY KEY (key, side, class, opponent)) STRICT, WITHOUT ROWID;
CREATE TABLE opponent_repeat (
    opponent INTEGER NOT NULL, key INTEGER NOT NULL, side INTEGER NOT NULL, class INTEGER NOT NULL,
    s0 REAL NOT NULL, s1 REAL NOT NULL,
    PRIMARY KEY (opponent, key, side, class)) STRICT, WITHOUT ROWID;
INSERT OR REPLACE INTO meta VALUES ('derived values are old', 1);
)",
               .read = R"(
CREATE TEMP VIEW game AS SELECT *, NULL AS analysed_nodes, 0 AS source FROM main.game;
)" VIEWS_BEFORE_4},
    // In format 4 opponent.sn and ss were sums of all games, and opponent_line had no exits:
    // open_store() computes the derived tables anew. Readers take the old sums as they are.
    FormatStep{.migrate = "INSERT OR REPLACE INTO meta VALUES ('derived values are old', 1)",
               .read = ""},
    // In format 5 the evidence of a position contained that of imported games and searches at each
    // ply below it: the derived tables are computed anew.
    FormatStep{.migrate = "INSERT OR REPLACE INTO meta VALUES ('derived values are old', 1)",
               .read = ""},
    // In format 6 the strength of unrated opponents counted as an error of search scores: the
    // derived tables are computed anew.
    FormatStep{.migrate = "INSERT OR REPLACE INTO meta VALUES ('derived values are old', 1)",
               .read = ""}};
#undef VIEWS_BEFORE_4
static_assert(FormatSteps.size() == FormatVersion - 1);

}  // namespace book
