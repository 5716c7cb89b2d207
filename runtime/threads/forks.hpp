// Counts forks, so that objects with threads know that they are in a child of fork, which has none of these threads.
#pragma once

namespace webnn::runtime {

/// How often this process and those before it have forked into a child that is or leads to this one; counted from the
/// first call on. Takes as long as reading a variable.
unsigned fork_count();

}  // namespace webnn::runtime
