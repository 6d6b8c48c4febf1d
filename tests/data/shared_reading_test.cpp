// One process reads, and all have what it read.
#include "data/shared_reading.hpp"

#include <atomic>

#include "data/npz.hpp"
#include "data/scratch_folder.hpp"
#include "greybox/memory.hpp"
#include "support/thread_ranks.hpp"

namespace greybox {
namespace {

class SharedReading : public test::ScratchFolder {
 protected:
  ~SharedReading() override { set_memory_limit(0); }

  // Calls check(table) in every rank but the first, which alone reads.
  static void read(std::size_t n_ranks, const std::function<DataTable()>& make,
                   const std::function<void(const DataTable&)>& check) {
    std::atomic<int> n_read = 0;
    ThreadRanks(n_ranks).run([&](Communicator& rank) {
      const auto table = read_in_first({.communicator = &rank}, [&] {
        ++n_read;
        return std::make_shared<const DataTable>(make());
      });
      if (rank.rank() > 0) check(*table);
    });
    EXPECT_EQ(n_read, 1);
  }
};

TEST_F(SharedReading, GivesAllWhatTheFirstHasRead) {
  std::string rows = "series,time [h],x\n";
  for (int i = 0; i < 5; ++i) rows += "A," + std::to_string(i) + "," + (i == 3 ? "" : "1.25") + "\n";
  const auto file = write("a.csv", rows + "B,0,3\n"), doses = write("doses.csv", "time,dose\n0,1\n2,4\n");
  const DataTable expected = with_input(read_table(file, {.time_unit = "minutes"}), "dose",
                                        std::make_shared<const DataTable>(read_table(doses)));
  read(
      3, [&] { return expected; },
      [&](const DataTable& table) {
        EXPECT_EQ(content_digest(table), content_digest(expected));
        EXPECT_EQ(table.file, file.string());
        EXPECT_TRUE(table.is_file);
        EXPECT_EQ(table.sha256, expected.sha256);
        EXPECT_EQ(table.own_sha256, expected.own_sha256);
        EXPECT_EQ(table.time_name, "time [h]");
        EXPECT_EQ(table.time_unit, "minutes");
        EXPECT_EQ(table.converted_from, expected.converted_from);
        EXPECT_EQ(table.lines, expected.lines);
        EXPECT_EQ(table.series[1].name, "B");
        EXPECT_EQ(table.find_input("dose")->find("dose")->at(1), 4);
      });
}

TEST_F(SharedReading, MapsInAllWhatStaysInItsFile) {
  std::vector<float> u(2 * 30 * 5 * 5);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = 0.5f * static_cast<float>(i);
  const NamedArray array = {"u", {{2, 30, 5, 5}, u}};
  write_npz(path("a.npz"), {&array, 1});
  set_memory_limit(5000);
  read(
      2, [&] { return read_table(path("a.npz")); },
      [&](const DataTable& table) {
        const auto& values = std::get<SharedValues<float>>(table.find("u")->values);
        EXPECT_TRUE(values.is_in_file());
        EXPECT_EQ(values, u);
      });
}

TEST_F(SharedReading, FailsInAllWhenTheFirstCannotRead) {
  std::atomic<int> n_refused = 0;
  ThreadRanks(3).run([&](Communicator& rank) {
    try {
      read_in_first({.communicator = &rank},
                    [&] { return std::make_shared<const DataTable>(read_table(path("none.csv"))); });
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("there is no such file"), std::string::npos);
      ++n_refused;
    }
  });
  EXPECT_EQ(n_refused, 3);
}

}  // namespace
}  // namespace greybox
