#include "runtime/recording.hpp"

#include <algorithm>
#include <utility>

namespace webnn::runtime {

bool Recording::is_initialized(ExecutableId executable) const {
  return std::ranges::find(initialized_, executable) != initialized_.end();
}

void Recording::add(std::shared_ptr<Bindings> bindings) {
  for (Resource* resource : bindings->uses())
    if (std::ranges::find(uses_, resource) == uses_.end()) uses_.push_back(resource);
  commands_.push_back(std::move(bindings));
}

void Recording::check_alive() const {
  for (const auto& command : commands_) command->check_alive();
}

void Recording::run() {
  for (const auto& command : commands_) try {
      command->run();
    } catch (...) {  // the outputs keep the error for their readers
    }
}

}  // namespace webnn::runtime
