// Any bytes in place of a JSON file of a run, a report or a reproduction are read or refused with a message.
#include "analysis/page/report_parts.hpp"
#include "analysis/reproduce/kept_landscapes.hpp"
#include "memory_file.hpp"
#include "report/verdict_json.hpp"
#include "train/run_record.hpp"

namespace greybox {
namespace {

void read_record_of(std::string_view text) {
  fuzz::write_file(fuzz::memory_folder() / "run.json", text);
  const RunRecord record = read_record(fuzz::memory_folder());
  write_record(fuzz::memory_folder(), record);
  read_record(fuzz::memory_folder());
}

template <class Read>
void read_value(std::string_view text, const Read& read) {
  const fuzz::MemoryFile file(text);
  if (const std::optional<Json> json = read_json_file(file.path()))
    read(JsonValue(*json, "fuzz.json")).dump();
}

}  // namespace
}  // namespace greybox

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace greybox;
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  fuzz::expect_read_or_refused([&] {
    switch (data[0] % 6) {
      case 0:
        return read_record_of(text);
      case 1:
        return read_value(text, report_estimates);
      case 2:
        return read_value(text, report_posterior);
      case 3:
        return read_value(text, [](const JsonValue& json) { return json_of(verdicts_from(json)); });
      case 5:
        return read_value(text, [](const JsonValue& json) {
          return kept_grids({{}, json.json()}, {"mean(norm2(network))"}).value_or(Json());
        });
      default: {
        const fuzz::MemoryFile file(text);
        read_kept_landscape(file.path(), "key");
      }
    }
  });
  return 0;
}
