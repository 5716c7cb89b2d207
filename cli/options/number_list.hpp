// Options that take a list of numbers: `--threads 1,2`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace webnn::cli {

/// The numbers in "1,2", in order. Throws Error (usage) for anything else and for a number outside of least..most;
/// `option` is the name for messages.
std::vector<double> number_list(std::string_view option, const std::string& text, double least, double most);
/// The same for whole numbers.
std::vector<unsigned> count_list(std::string_view option, const std::string& text, unsigned least, unsigned most);

}  // namespace webnn::cli
