// Habits that keep the repository readable: a file says what it is for, stays short, and its folder is explained.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/harness/paths.hpp"
#include "tests/structure/sources.hpp"

namespace webnn::tests::files_test {

namespace fs = std::filesystem;

namespace {

bool opens_with_comment(const std::string& text) {
  return (text.starts_with("// ") || text.starts_with("/* ")) && lines_of(text)[0].size() >= 20;
}

}  // namespace

TEST_CASE("structure: every source file opens with what it is for, or with the header of the same name that does") {
  for (const SourceFile& file : source_files({".cpp", ".hpp", ".h", ".def", ".comp", ".fbs"})) {
    fs::path header = file.path;
    header.replace_extension(".hpp");
    const bool opens_with_header = file.text.starts_with("#include \"" + header.generic_string() + "\"");
    CHECK_MESSAGE(
        (opens_with_comment(file.text) || (opens_with_header && opens_with_comment(read_file(source_dir() / header)))),
        file.path << " does not open with a comment that says what it is for");
  }
}

TEST_CASE("structure: source files have 450 lines at most") {
  for (const SourceFile& file : source_files({".cpp", ".hpp", ".h", ".def", ".comp", ".fbs"})) {
    const std::size_t lines = lines_of(file.text).size();
    CHECK_MESSAGE(lines <= 450, file.path << " has " << lines << " lines; an idea in it is missing a name");
  }
}

TEST_CASE("structure: folders hold 30 source files at most, but for lists of one kind") {
  static const std::set<std::string> lists{"compiler/passes"};
  std::map<std::string, int> counts;
  for (const SourceFile& file : source_files({".cpp", ".hpp", ".h", ".def", ".comp"})) ++counts[file.folder()];
  for (const auto& [folder, count] : counts)
    if (!lists.contains(folder))
      CHECK_MESSAGE(count <= 30,
                    folder << "/ has " << count << " source files; an idea in it wants a folder of its own");
}

TEST_CASE("structure: every folder has a README or is named in the one of a folder above it") {
  std::set<std::string> folders;
  for (const SourceFile& file : source_files({".cpp", ".hpp", ".h", ".def", ".comp", ".fbs", ".json", ".txt", ".npy"}))
    folders.insert(file.folder());
  for (const std::string& folder : folders) {
    bool explained = false;
    for (fs::path above = folder; !explained && !above.empty(); above = above.parent_path()) {
      const fs::path readme = source_dir() / above / "README.md";
      if (!fs::exists(readme)) continue;
      // In its own folder a README is enough; one further up has to name the folder.
      const std::string name = fs::path(folder).filename().string() + "/";
      explained = above == folder || read_file(readme).find(name) != std::string::npos;
    }
    CHECK_MESSAGE(explained, folder << "/ has no README.md, and none above it names it");
  }
}

TEST_CASE("structure: source files that READMEs name exist at their place or below") {
  static const std::regex name(R"(`([a-z0-9_/]+\.(?:hpp|cpp|def|fbs))`)");
  std::vector<SourceFile> pages = source_files({".md"});
  pages.push_back({"README.md", read_file(source_dir() / "README.md")});
  const std::vector<SourceFile> sources = source_files({".cpp", ".hpp", ".def", ".fbs"});
  for (const SourceFile& page : pages) {
    for (std::sregex_iterator match(page.text.begin(), page.text.end(), name), end; match != end; ++match) {
      const std::string file = (*match)[1];
      const auto is_named = [&](const SourceFile& source) {
        return source.path == file ||
               (source.path.starts_with(page.folder()) && source.path.ends_with((fs::path("/") / file).string()));
      };
      CHECK_MESSAGE(std::ranges::any_of(sources, is_named), page.path << " names " << file << ", which does not exist");
    }
  }
}

TEST_CASE("structure: links in READMEs lead to files that exist") {
  std::vector<SourceFile> pages = source_files({".md"});
  pages.push_back({"README.md", read_file(source_dir() / "README.md")});
  for (const SourceFile& page : pages) {
    for (std::size_t at = page.text.find("]("); at != std::string::npos; at = page.text.find("](", at + 2)) {
      std::string target = page.text.substr(at + 2, page.text.find(')', at) - at - 2);
      if (target.starts_with("http")) continue;
      target = target.substr(0, target.find('#'));
      CHECK_MESSAGE((target.empty() || fs::exists(source_dir() / page.folder() / target)),
                    page.path << " links to " << target << ", which does not exist");
    }
  }
}

}  // namespace webnn::tests::files_test
