// "did you mean 'model.json'?" for a file that is not there.
#pragma once

#include <filesystem>
#include <string>

#include "schema/error.hpp"

namespace webnn::cli {

/// A proposal among the files of the same folder; empty when the file exists or nothing is like its name.
std::string similar_file_hint(const std::filesystem::path& file);

/// What `read` gives. When it throws an Error (io) without a hint, the error gets the proposal.
template <typename Read>
auto with_similar_file(const std::filesystem::path& file, Read read) {
  try {
    return read();
  } catch (const schema::Error& error) {
    if (error.code() != schema::ExitCode::io || !error.hint().empty()) throw;
    throw schema::Error(error.code(), error.what(), similar_file_hint(file));
  }
}

}  // namespace webnn::cli
