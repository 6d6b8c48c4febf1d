#include "analysis/run/kept_page.hpp"

#include "core/atomic_file.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

std::filesystem::path file_of(const OpenedRun& run, PagePart part) {
  return run.handle.folder() / "page" / (part == PagePart::landscapes ? "landscapes.json" : "verdicts.json");
}

PageKey key_from(const JsonValue& json) {
  PageKey key{json.at("split").text(),
              json.at("windows").count(),
              {},
              json.at("regularizers").texts(),
              json.at("held").numbers_by_name()};
  for (const JsonValue& seed : json.at("seeds").elements()) key.seeds.push_back(seed.whole_number());
  return key;
}

}  // namespace

void keep_page(const OpenedRun& run, PagePart part, const KeptPage& kept) {
  if (run.handle.folder().empty()) return;
  const Json json{{"weights_sha256", run.handle.state().weights_sha256},
                  {"split", kept.key.split},
                  {"windows", kept.key.n_windows},
                  {"seeds", kept.key.seeds},
                  {"regularizers", kept.key.regularizers},
                  {"held", kept.key.held},
                  {"content", kept.content}};
  const std::filesystem::path file = file_of(run, part);
  std::error_code ignored;
  if (std::filesystem::is_symlink(file.parent_path(), ignored)) return;  // to somewhere else
  std::filesystem::create_directories(file.parent_path(), ignored);
  try {
    write_file_atomically(file, json.dump() + '\n');
  } catch (const std::runtime_error&) {
    std::filesystem::remove(file, ignored);  // the page is computed anew
  }
}

std::optional<KeptPage> kept_page(const OpenedRun& run, PagePart part) {
  if (run.handle.folder().empty()) return std::nullopt;
  const std::filesystem::path file = file_of(run, part);
  try {
    const std::optional<Json> json = read_json_file(file);
    if (!json) return std::nullopt;
    const JsonValue root(*json, file.string());
    if (root.at("weights_sha256").text() != run.handle.state().weights_sha256) return std::nullopt;
    return KeptPage{key_from(root), root.at("content").json()};
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace greybox
