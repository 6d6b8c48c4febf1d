// Times the training step of a model file on one batch that is shared by the ranks of mpirun, and what they
// tell each other. The first rank prints it as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <exception>
#include <greybox/communicator.hpp>
#include <numeric>

#include "stopwatch.hpp"
#include "training.hpp"

namespace greybox::bench {
namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Counts what passes through it, and the time that it takes.
class CountedRanks final : public Communicator {
 public:
  explicit CountedRanks(std::shared_ptr<Communicator> ranks) : ranks_(std::move(ranks)) {}

  std::size_t rank() const override { return ranks_->rank(); }
  std::size_t size() const override { return ranks_->size(); }
  std::size_t n_on_host() const override { return ranks_->n_on_host(); }
  void send(std::size_t to, const std::string& bytes) override { ranks_->send(to, bytes); }
  std::optional<RankMessage> receive() override { return ranks_->receive(); }
  void broadcast(std::string& bytes) override { ranks_->broadcast(bytes); }
  void exchange(std::span<std::byte> data, std::span<const std::size_t> begins) override {
    count(data.size(), [&] { ranks_->exchange(data, begins); });
  }
  void redistribute(std::span<const std::byte> sent, std::span<const std::size_t> sent_begins,
                    std::span<std::byte> received, std::span<const std::size_t> received_begins) override {
    count(received.size(), [&] { ranks_->redistribute(sent, sent_begins, received, received_begins); });
  }

  std::size_t n_messages = 0, n_bytes = 0;
  double processor_seconds = 0;

 private:
  template <class Work>
  void count(std::size_t bytes, const Work& work) {
    const double start = thread_seconds();
    work();
    processor_seconds += thread_seconds() - start;
    ++n_messages;
    n_bytes += bytes;
  }
  std::shared_ptr<Communicator> ranks_;
};

// Of every rank.
std::vector<double> gathered(Communicator& ranks, double own) {
  std::vector<double> all(ranks.size());
  std::vector<std::size_t> begins(ranks.size() + 1);
  for (std::size_t r = 0; r <= ranks.size(); ++r) begins[r] = r * sizeof(double);
  all[ranks.rank()] = own;
  ranks.exchange(std::as_writable_bytes(std::span(all)), begins);
  return all;
}

// The shortest of many exchanges of so many bytes in all.
double exchange_seconds(Communicator& ranks, std::size_t n_bytes) {
  std::vector<std::byte> bytes(n_bytes);
  std::vector<std::size_t> begins(ranks.size() + 1);
  for (std::size_t r = 0; r <= ranks.size(); ++r) begins[r] = r * n_bytes / ranks.size();
  double shortest = 1e9;
  for (int i = 0; i < 2000; ++i) {
    const auto start = std::chrono::steady_clock::now();
    ranks.exchange(bytes, begins);
    shortest = std::min(shortest, seconds_since(start));
  }
  return shortest;
}

struct Options {
  TrainingOptions training;
  std::size_t n_steps = 5, n_rounds = 10;
};

void report(const Options& options, CountedRanks* ranks) {
  TrainingOptions training_options = options.training;
  training_options.others = ranks;
  Training training(training_options);
  training.start();
  training.step();
  if (ranks != nullptr) ranks->n_messages = ranks->n_bytes = 0, ranks->processor_seconds = 0;
  std::vector<double> rounds;
  const double processor_start = cpu_seconds();
  for (std::size_t round = 0; round < options.n_rounds; ++round)
    rounds.push_back(time_once(options.n_steps, [&] { training.step(); }));
  const auto n = static_cast<double>(options.n_steps * options.n_rounds);
  double processor = cpu_seconds() - processor_start, waiting = 0;
  std::size_t n_messages = 0, n_bytes = 0;
  std::vector<double> of_ranks{processor / n}, waits{0.0};
  double shortest = 0, of_megabyte = 0;
  if (ranks != nullptr) {
    n_messages = ranks->n_messages, n_bytes = ranks->n_bytes, waiting = ranks->processor_seconds;
    of_ranks = gathered(*ranks, (processor - waiting) / n);
    waits = gathered(*ranks, waiting / n);
    shortest = exchange_seconds(*ranks, 8 * ranks->size());
    of_megabyte = exchange_seconds(*ranks, std::size_t{1} << 20U);
    if (ranks->rank() > 0) return;
  }
  std::sort(rounds.begin(), rounds.end());
  fmt::print(
      "{{\"batch\": {}, \"ranks\": {}, \"seconds_per_step\": {:.6g}, \"shortest\": {:.6g}, "
      "\"processor_per_step\": [{:.6g}], \"waiting_per_step\": [{:.6g}], \"messages_per_step\": {:.6g}, "
      "\"bytes_per_step\": {:.6g}, \"message_seconds\": {:.6g}, \"megabyte_seconds\": {:.6g}}}\n",
      training.n_samples(), of_ranks.size(), rounds[rounds.size() / 2], rounds.front(),
      fmt::join(of_ranks, ", "), fmt::join(waits, ", "), static_cast<double>(n_messages) / n,
      static_cast<double>(n_bytes) / n, shortest, of_megabyte);
}

}  // namespace
}  // namespace greybox::bench

int main(int argc, char** argv) {
  using namespace greybox::bench;
  Options options;
  CLI::App app("Times the training step of a model file on ranks.");
  app.add_option("model", options.training.model, "model file")->required();
  app.add_option("--data", options.training.data, "data file; all its windows are the batch")->required();
  app.add_option("--threads", options.training.n_threads, "of every rank; default: 1");
  app.add_option("--steps", options.n_steps, "in a round");
  app.add_option("--rounds", options.n_rounds, "whose median and shortest are told");
  CLI11_PARSE(app, argc, argv);
  try {
    const auto world = greybox::launched_communicator();
    std::optional<CountedRanks> ranks;
    if (world) ranks.emplace(world);
    report(options, ranks ? &*ranks : nullptr);
    greybox::end_together(60);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    greybox::end_all_ranks(1);
  }
}
