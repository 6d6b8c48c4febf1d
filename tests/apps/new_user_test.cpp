// A new user's first hour: an untidy table of two rooms, a short model file, and the commands in their order.
#include <cmath>

#include "apps/run_tool.hpp"
#include "data/table.hpp"

namespace greybox::test {
namespace {

constexpr int kRows = 60;          // per room
constexpr int kMissingEvery = 17;  // a sensor that fails now and then

constexpr const char* kModel = R"toml(
[data]
file    = "rooms.csv"
series  = "room"
time    = "hour"
window  = { length = 6, stride = 5 }
split   = { train = 0.7, validation = 0.3, by = "window" }

[inputs]
power = "heating"

[parameters]
loss = { prior = "uniform", low = 0.1, high = 1, unit = "1/h", about = "what the walls let through" }

[state]
inside = "temperature - 10"

[theory]
inside = "-loss * inside"

[network.heater]
kind    = "mlp"
inputs  = ["power", "inside", "loss", "theory"]
hidden  = [8]
outputs = ["inside"]

[observe]
temperature = "inside + 10"

[solver]
method = "rk4"

[regularizers]
size = "mean(norm2(network))"

[train]
regularizer = "size"
lambda = 1e-4
epochs = 100
batch  = 5
rate   = 1e-2
)toml";

class NewUser : public ToolTest {
 protected:
  NewUser() {
    write("rooms.toml", kModel);
    write("rooms.csv", "room,hour,heating,temperature\n" + rows("kitchen", 15) + rows("hall", 25));
  }

  // Heated in turns and sampled when somebody passes by; loss 0.4 per hour.
  static std::string rows(const std::string& room, double temperature) {
    std::string text;
    double hour = 0, heating = 0;
    for (int i = 0; i < kRows; ++i) {
      const std::string cell = i % kMissingEvery == kMissingEvery - 1 ? "" : std::to_string(temperature);
      text += room + ',' + std::to_string(hour) + ',' + std::to_string(heating) + ',' + cell + '\n';
      const double next = hour + 0.2 + 0.15 * std::sin(5.0 * i), next_heating = 2 + 2 * std::sin(next);
      for (int k = 0; k < 100; ++k) {
        const double power = heating + (next_heating - heating) * k / 100;
        temperature += (next - hour) / 100 * (2 * power - 0.4 * (temperature - 10));
      }
      hour = next;
      heating = next_heating;
    }
    return text;
  }
};

TEST_F(NewUser, ChecksTrainsAndPredicts) {
  const auto model = expect_json({"check", "rooms.toml", "--json"});
  EXPECT_EQ(model["data"]["series"], 2);
  EXPECT_EQ(model["data"]["rows"], 2 * kRows);
  EXPECT_GT(model["data"]["train"], 10);

  EXPECT_EQ(greybox({"train", "rooms.toml", "-o", "begun", "--seed", "1", "--epochs", "1"}).exit_code, 0);
  const ToolResult trained = greybox({"train", "rooms.toml", "-o", "run", "--seed", "1", "--json"});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_EQ(nlohmann::json::parse(trained.out)["epochs_done"], 100);

  const auto predict = [&](const std::string& run) {
    return expect_json({"predict", run, "--theta", "loss=0.4", "--json", "-o", run + ".csv"});
  };
  EXPECT_LT(predict("run")["L"], 0.1 * predict("begun")["L"].get<double>());
  const DataTable table = read_table(path("run.csv"));
  EXPECT_EQ(table.series[1].name, "hall");
  EXPECT_EQ(table.n_rows(), 5 * model["data"]["windows"].get<std::size_t>());
  EXPECT_NE(table.find("network.inside"), nullptr);
}

TEST_F(NewUser, IsToldAboutMissingCells) {
  const auto model_with = [](const std::string& line) {
    std::string model = kModel;
    return model.insert(model.find("split "), line);
  };
  write("rooms.toml", model_with("missing = \"error\"\n"));
  expect_wrong_input({"check", "rooms.toml"}, "row 18, column `temperature`");
  write("rooms.toml", model_with("missing = \"drop\"\n"));
  const ToolResult dropped = greybox({"check", "rooms.toml"});
  EXPECT_NE(dropped.err.find("6 of 120 rows are dropped although they have values of inputs"),
            std::string::npos)
      << dropped.err;
}

}  // namespace
}  // namespace greybox::test
