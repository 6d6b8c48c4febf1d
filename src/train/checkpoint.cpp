#include "train/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "data/npz.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

constexpr std::int64_t kFormat = 2;
constexpr const char* kHelp =
    "remove checkpoint.npz to begin this run again with --resume, or start anew with --overwrite";

[[noreturn]] void refuse_checkpoint(const std::filesystem::path& file, const std::string& message) {
  throw InputError(Diagnostic{.file = file.string(), .message = message, .help = kHelp});
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

struct NamedDigest {
  const char* name;
  const std::string& digest;
  const char* message;  // when another one stands in the file
};

std::array<NamedDigest, 3> digests(const CheckpointIdentity& identity) {
  return {{{"model_sha256", identity.model, "the checkpoint belongs to another model file"},
           {"data_sha256", identity.data, "the checkpoint belongs to other data"},
           {"options_sha256", identity.options, "the checkpoint belongs to a training with other options"}}};
}

template <class T>
struct NamedBuffer {
  const char* name;
  AlignedBuffer<T> TrainState<T>::*buffer;
};

template <class T>
constexpr std::array<NamedBuffer<T>, 4> buffers() {
  return {{{"parameters", &TrainState<T>::parameters},
           {"first_moments", &TrainState<T>::first_moments},
           {"second_moments", &TrainState<T>::second_moments},
           {"best", &TrainState<T>::best}}};
}

struct NamedCounter {
  const char* name;
  double Progress::*counter;
};

constexpr std::array<NamedCounter, 12> kCounters = {
    {{"n_updates", &Progress::n_updates},
     {"epoch", &Progress::epoch},
     {"step", &Progress::step},
     {"loss_sum", &Progress::loss_sum},
     {"regularizer_sum", &Progress::regularizer_sum},
     {"n_samples", &Progress::n_samples},
     {"last_loss", &Progress::last_loss},
     {"last_regularizer", &Progress::last_regularizer},
     {"best_validation", &Progress::best_validation},
     {"n_without_improvement", &Progress::n_without_improvement},
     {"seconds", &Progress::seconds},
     {"multiplier", &Progress::multiplier}}};
static_assert(sizeof(Progress) == kCounters.size() * sizeof(double), "every counter has its name");

// The arrays of a file, looked up by name and type.
class Arrays {
 public:
  explicit Arrays(const std::filesystem::path& file) : file_(file) {
    try {
      arrays_ = read_npz(file);
    } catch (const InputError& error) {
      refuse_checkpoint(file, "the checkpoint is damaged: " + error.diagnostics().front().message);
    }
  }

  template <class V>
  const std::vector<V>& get(const std::string& name, std::size_t size) const {
    for (const auto& [known, array] : arrays_)
      if (known == name) {
        const auto* values = std::get_if<std::vector<V>>(&array.values);
        if (values && values->size() == size) return *values;
        refuse_checkpoint(file_,
                          fmt::format("array `{}` has another size or type than this training's", name));
      }
    refuse_checkpoint(file_, fmt::format("this is not a checkpoint: it has no array `{}`", name));
  }

 private:
  std::filesystem::path file_;
  std::vector<NamedArray> arrays_;
};

}  // namespace

template <class T>
void write_checkpoint(const std::filesystem::path& file, const CheckpointIdentity& identity,
                      const TrainState<T>& state) {
  std::vector<NamedArray> arrays;
  const auto add = [&](const char* name, auto values) {
    arrays.emplace_back(name, NpyArray{{values.size()}, values});
  };
  add("format", std::vector<std::int64_t>{kFormat});
  for (const NamedDigest& item : digests(identity)) add(item.name, to_words(item.digest));
  for (const NamedCounter& item : kCounters)
    add(item.name, std::vector<double>{state.progress.*item.counter});
  for (const NamedBuffer<T>& item : buffers<T>()) {
    const std::span<const T> values = (state.*item.buffer).span();
    add(item.name, std::vector<T>(values.begin(), values.end()));
  }
  write_npz(file, arrays);
}

template <class T>
void read_checkpoint(const std::filesystem::path& file, const CheckpointIdentity& identity,
                     TrainState<T>& state) {
  const Arrays arrays(file);
  if (const std::int64_t format = arrays.get<std::int64_t>("format", 1)[0]; format != kFormat)
    refuse_checkpoint(file, fmt::format("the checkpoint has format {}, and this version of greybox reads {}",
                                        format, kFormat));
  for (const NamedDigest& item : digests(identity)) {
    const std::vector<std::int64_t> words = to_words(item.digest);
    if (arrays.get<std::int64_t>(item.name, words.size()) != words) refuse_checkpoint(file, item.message);
  }
  TrainState<T> found(state.layout);
  for (const NamedCounter& item : kCounters)
    found.progress.*item.counter = arrays.get<double>(item.name, 1)[0];
  for (const NamedBuffer<T>& item : buffers<T>()) {
    AlignedBuffer<T>& buffer = found.*item.buffer;
    const std::vector<T>& values = arrays.get<T>(item.name, buffer.size());
    std::copy(values.begin(), values.end(), buffer.data());
  }
  state = std::move(found);
}

template void write_checkpoint(const std::filesystem::path&, const CheckpointIdentity&,
                               const TrainState<float>&);
template void write_checkpoint(const std::filesystem::path&, const CheckpointIdentity&,
                               const TrainState<double>&);
template void read_checkpoint(const std::filesystem::path&, const CheckpointIdentity&, TrainState<float>&);
template void read_checkpoint(const std::filesystem::path&, const CheckpointIdentity&, TrainState<double>&);

}  // namespace greybox
