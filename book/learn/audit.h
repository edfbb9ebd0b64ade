// The book as a whole: made anew from its log, compared with it, corrected, calibrated.
#pragma once

#include "book/learn/learn.h"

namespace book {

// Makes everything derived anew, in one transaction.
Result<void> rebuild(Store& store);
// The same in memory, compared with what the book says; one line for each difference, at most about
// twenty. Others may go on writing.
Result<std::vector<std::string>> verify(Store& store);

// Takes games out of the book, or back in, as if they had never been played, or always. Returns how
// many.
Result<std::int64_t> unlearn(Store& store, const GameFilter& filter);
Result<std::int64_t> relearn(Store& store, const GameFilter& filter);

}  // namespace book
