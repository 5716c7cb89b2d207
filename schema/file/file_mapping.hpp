// Mapped files, and what becomes of a process when somebody cuts one of them short.
//
// Access to a page behind the end of a mapped file raises SIGBUS, which would end the process: of a host that only uses
// the library, too. So the first mapping installs a handler. It puts a page of zeros in the place of a missing page of a
// file that was mapped here, and notes that this file was cut; whoever uses its bytes asks for that and refuses them.
// Any other SIGBUS goes to the handler that was there before, or ends the process as usual. A host that installs its own
// handler later must pass on what is not its own. When the library is unloaded, the earlier handler comes back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "schema/elements/bytes.hpp"

namespace webnn::schema {

/// Maps the first `bytes` bytes (at least one) of an open regular file, read-only. `name` is for messages. Empty, with
/// errno set, when that fails.
Bytes map_open_file(int descriptor, std::size_t bytes, std::string name);

/// Which content the file of these bytes has, as far as that can be told without reading it: size, device, inode, and
/// the times of its last change, all as they were when it was mapped. Empty for bytes that are not mapped.
std::string mapped_identity(const Bytes& bytes);

/// Throws Error (io) when the bytes are mapped from a file that has been cut short, and zeros have been read in its
/// place. Takes no time unless that has happened to any file.
void check_not_cut(const Bytes& bytes);

/// The same for all files that are mapped now: for a program that does one thing at a time.
void check_no_file_cut();

/// The text of `mapped_identity` for a file that is not mapped; "absent" when it cannot be examined.
std::string identity_of_file(const char* path);

}  // namespace webnn::schema
