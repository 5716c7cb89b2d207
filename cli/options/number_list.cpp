#include "cli/options/number_list.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

std::vector<double> number_list(std::string_view option, const std::string& text, double least, double most) {
  std::vector<double> numbers;
  for (std::string_view rest = text; numbers.empty() || !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(word.size() == rest.size() ? rest.size() : word.size() + 1);
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size() || !(number >= least && number <= most)) {
      char range[80];
      std::snprintf(range, sizeof range, "%.10g to %.10g", least, most);
      throw Error(ExitCode::usage, std::string(option) + " " + in_quotes(text) + " is no list of numbers from " + range,
                  "for example " + std::string(option) + " 1,2");
    }
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<unsigned> count_list(std::string_view option, const std::string& text, unsigned least, unsigned most) {
  std::vector<unsigned> counts;
  for (const double number : number_list(option, text, least, most)) {
    if (number != std::floor(number))
      throw Error(ExitCode::usage, std::string(option) + " " + in_quotes(text) + " is no list of whole numbers");
    counts.push_back(unsigned(number));
  }
  return counts;
}

}  // namespace webnn::cli
