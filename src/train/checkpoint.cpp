#include "train/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "greybox/error.hpp"
#include "train/counters_check.hpp"

namespace greybox {
namespace {

constexpr std::int64_t kFormat = 2;
constexpr const char* kLandscapeName = "landscape";
constexpr const char* kHelp = "remove checkpoint.npz to begin this training again";

[[noreturn]] void refuse_checkpoint(const std::string& source, const std::string& message) {
  throw InputError(Diagnostic{.file = source, .message = message, .help = kHelp});
}

// 64 hexadecimal digits as 8 numbers of 32 bits.
std::vector<std::int64_t> to_words(const std::string& digest) {
  std::vector<std::int64_t> words;
  for (std::size_t i = 0; i < digest.size(); i += 8) {
    std::uint32_t word = 0;
    std::from_chars(digest.data() + i, digest.data() + std::min(i + 8, digest.size()), word, 16);
    words.push_back(word);
  }
  return words;
}

std::string to_digest(const std::vector<std::int64_t>& words) {
  std::string digest;
  for (std::int64_t word : words) digest += fmt::format("{:08x}", static_cast<std::uint32_t>(word));
  return digest;
}

struct NamedDigest {
  const char* name;
  std::string CheckpointIdentity::*digest;
  // When it is another than expected.
  const char* message;
};

constexpr std::array<NamedDigest, 3> kDigests = {
    {{"model_sha256", &CheckpointIdentity::model, "the checkpoint belongs to another model file"},
     {"data_sha256", &CheckpointIdentity::data, "the checkpoint belongs to other data"},
     {"options_sha256", &CheckpointIdentity::options,
      "the checkpoint belongs to a training with other options"}}};
constexpr std::size_t kDigestWords = 8;

template <class T>
struct NamedBuffer {
  const char* name;
  AlignedBuffer<T> TrainState<T>::*buffer;
  // A training ends with one of them.
  bool are_weights = false;
};

template <class T>
constexpr std::array<NamedBuffer<T>, 6> buffers() {
  return {{{"parameters", &TrainState<T>::parameters, true},
           {"first_moments", &TrainState<T>::first_moments},
           {"second_moments", &TrainState<T>::second_moments},
           {"best", &TrainState<T>::best, true},
           {"average", &TrainState<T>::average, true},
           {"curvature", &TrainState<T>::curvature}}};
}

struct NamedCounter {
  const char* name;
  double Counters::*counter;
  // Checkpoints of earlier versions do.
  bool may_lack = false;
};

constexpr std::array<NamedCounter, 21> kCounters = {
    {{"n_updates", &Counters::n_updates},
     {"epoch", &Counters::epoch},
     {"step", &Counters::step},
     {"loss_sum", &Counters::loss_sum},
     {"regularizer_sum", &Counters::regularizer_sum},
     {"n_samples", &Counters::n_samples},
     {"last_loss", &Counters::last_loss},
     {"last_regularizer", &Counters::last_regularizer},
     {"best_validation", &Counters::best_validation},
     {"n_without_improvement", &Counters::n_without_improvement},
     {"seconds", &Counters::seconds},
     {"multiplier", &Counters::multiplier},
     {"n_redrawn", &Counters::n_redrawn, true},
     {"peak_rate", &Counters::peak_rate, true},
     {"falls_from", &Counters::falls_from, true},
     {"n_looks", &Counters::n_looks, true},
     {"landscape_change", &Counters::landscape_change, true},
     {"n_calm", &Counters::n_calm, true},
     {"has_settled", &Counters::has_settled, true},
     {"moments_from", &Counters::moments_from, true},
     {"n_doublings", &Counters::n_doublings, true}}};
static_assert(sizeof(Counters) == kCounters.size() * sizeof(double), "every counter has its name");

// An array by its name, type and size.
template <class V>
const std::vector<V>& get(const std::vector<NamedArray>& arrays, const std::string& name, std::size_t size,
                          const std::string& source) {
  for (const auto& [known, array] : arrays)
    if (known == name) {
      const auto* values = std::get_if<std::vector<V>>(&array.values);
      if (values && values->size() == size) return *values;
      refuse_checkpoint(source,
                        fmt::format("array `{}` has another size or type than this training's", name));
    }
  refuse_checkpoint(source, fmt::format("this is not a checkpoint: it has no array `{}`", name));
}

template <class V>
void add_array(std::vector<NamedArray>& arrays, const char* name, std::vector<V> values) {
  const std::size_t n = values.size();
  arrays.emplace_back(name, NpyArray{{n}, std::move(values)});
}

}  // namespace

std::vector<NamedArray> to_arrays(const Checkpoint& checkpoint) {
  std::vector<NamedArray> arrays;
  add_array(arrays, "format", std::vector<std::int64_t>{kFormat});
  for (const NamedDigest& item : kDigests)
    add_array(arrays, item.name, to_words(checkpoint.identity.*item.digest));
  arrays.insert(arrays.end(), checkpoint.arrays.begin(), checkpoint.arrays.end());
  return arrays;
}

Checkpoint checkpoint_from(std::vector<NamedArray> arrays, const std::string& source) {
  if (const std::int64_t format = get<std::int64_t>(arrays, "format", 1, source)[0]; format != kFormat)
    refuse_checkpoint(
        source,
        fmt::format("the checkpoint has format {}, and this version of greybox reads {}", format, kFormat));
  Checkpoint checkpoint{.identity = {}, .arrays = {}, .source = source};
  for (const NamedDigest& item : kDigests)
    checkpoint.identity.*item.digest = to_digest(get<std::int64_t>(arrays, item.name, kDigestWords, source));
  std::erase_if(arrays, [](const NamedArray& array) {
    return array.first == "format" || std::any_of(kDigests.begin(), kDigests.end(),
                                                  [&](const auto& item) { return array.first == item.name; });
  });
  checkpoint.arrays = std::move(arrays);
  return checkpoint;
}

void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  write_npz(file, to_arrays(checkpoint));
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  std::vector<NamedArray> arrays;
  try {
    arrays = read_npz(file);
  } catch (const InputError& error) {
    refuse_checkpoint(file.string(), "the checkpoint is damaged: " + error.diagnostics().front().message);
  }
  return checkpoint_from(std::move(arrays), file.string());
}

template <class T>
Checkpoint make_checkpoint(const CheckpointIdentity& identity, const TrainState<T>& state) {
  Checkpoint checkpoint{.identity = identity, .arrays = {}};
  for (const NamedCounter& item : kCounters)
    add_array(checkpoint.arrays, item.name, std::vector<double>{state.counters.*item.counter});
  for (const NamedBuffer<T>& item : buffers<T>()) {
    const std::span<const T> values = (state.*item.buffer).span();
    if (values.empty()) continue;
    add_array(checkpoint.arrays, item.name, std::vector<T>(values.begin(), values.end()));
  }
  if (!state.landscape.empty()) add_array(checkpoint.arrays, kLandscapeName, state.landscape);
  return checkpoint;
}

template <class T>
void restore(const Checkpoint& checkpoint, const CheckpointExpectation& expected, TrainState<T>& state) {
  const std::string& source = checkpoint.source;
  for (const NamedDigest& item : kDigests)
    if (checkpoint.identity.*item.digest != expected.identity.*item.digest)
      refuse_checkpoint(source, item.message);
  TrainState<T> found(state.layout, state.curvature.size());
  found.average = AlignedBuffer<T>(state.average.size());
  const auto has = [&](const char* name) {
    return std::ranges::any_of(checkpoint.arrays,
                               [&](const NamedArray& array) { return array.first == name; });
  };
  for (const NamedCounter& item : kCounters)
    if (!item.may_lack || has(item.name))
      found.counters.*item.counter = get<double>(checkpoint.arrays, item.name, 1, source)[0];
  if (const std::string mistake = mistake_of(found.counters, expected.limits); !mistake.empty())
    refuse_checkpoint(source, "the checkpoint is damaged: " + mistake);
  for (const NamedBuffer<T>& item : buffers<T>()) {
    AlignedBuffer<T>& buffer = found.*item.buffer;
    if (buffer.size() == 0) continue;
    const std::vector<T>& values = get<T>(checkpoint.arrays, item.name, buffer.size(), source);
    if (item.are_weights && !std::ranges::all_of(values, [](T value) { return std::isfinite(value); }))
      refuse_checkpoint(source,
                        fmt::format("the checkpoint is damaged: array `{}` is not finite", item.name));
    std::copy(values.begin(), values.end(), buffer.data());
  }
  if (!state.landscape.empty())
    found.landscape = get<double>(checkpoint.arrays, kLandscapeName, state.landscape.size(), source);
  state = std::move(found);
}

template Checkpoint make_checkpoint(const CheckpointIdentity&, const TrainState<float>&);
template Checkpoint make_checkpoint(const CheckpointIdentity&, const TrainState<double>&);
template void restore(const Checkpoint&, const CheckpointExpectation&, TrainState<float>&);
template void restore(const Checkpoint&, const CheckpointExpectation&, TrainState<double>&);

}  // namespace greybox
