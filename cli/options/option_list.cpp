#include "cli/options/option_list.hpp"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <type_traits>

#include "cli/options/number_values.hpp"

namespace webnn::cli {

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

template <typename T>
Option& Option::between(T low, T high) {
  option_->check(CLI::Range(low, high));
  return *this;
}
template Option& Option::between(unsigned, unsigned);
template Option& Option::between(std::size_t, std::size_t);
template Option& Option::between(double, double);

Option& Option::size() {
  option_->transform(CLI::Validator(to_bytes, ""));
  return *this;
}

Option& Option::repeatable() {
  option_->expected(1)->take_all();
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::shows_default(const std::string& text) {
  option_->default_str(text);
  return *this;
}

template <typename T>
Option OptionList::add(const std::string& names, T& value, const std::string& description) {
  CLI::Option* const option = command_->add_option(names, value, description);
  if constexpr (std::is_unsigned_v<T>) option->transform(CLI::Validator(to_whole_number, ""));
  return Option(*option);
}
template Option OptionList::add(const std::string&, std::string&, const std::string&);
template Option OptionList::add(const std::string&, std::vector<std::string>&, const std::string&);
template Option OptionList::add(const std::string&, unsigned&, const std::string&);
template Option OptionList::add(const std::string&, std::size_t&, const std::string&);
template Option OptionList::add(const std::string&, double&, const std::string&);

Option OptionList::flag(const std::string& names, bool& value, const std::string& description) {
  return Option(*command_->add_flag(names, value, description));
}

void OptionList::exclude(const std::string& one, const std::string& other) {
  command_->get_option(one)->excludes(command_->get_option(other));
}

}  // namespace webnn::cli
