// Any bytes either read as a table or are refused with a message; a table that was read is written and read
// again.
#include "data/table.hpp"
#include "data/table_writer.hpp"
#include "memory_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace greybox;
  fuzz::expect_read_or_refused([&] {
    fuzz::write_file(fuzz::memory_folder() / "a.csv", fuzz::text_of(data, size));
    const DataTable table = read_table(fuzz::memory_folder() / "a.csv", {});
    write_table(fuzz::memory_folder() / "b.csv", table, {});
    const DataTable again = read_table(fuzz::memory_folder() / "b.csv", {});
    if (again.n_rows() != table.n_rows() || again.columns.size() != table.columns.size()) std::abort();
  });
  return 0;
}
