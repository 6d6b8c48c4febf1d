#include "memory_option.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <charconv>
#include <cmath>
#include <greybox/memory.hpp>

#include "option_text.hpp"

namespace greybox::apps {
namespace {

constexpr double kLeast = 0x1p26;  // the program itself

// A sanitizer sets terabytes aside for its own use.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif

void hold_to(std::size_t bytes) {
  set_memory_limit(bytes);
  rlimit limit{};
  if (kIsSanitized || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(memory_limit(), limit.rlim_max);
  ::setrlimit(RLIMIT_DATA, &limit);
}

void add_to(CLI::App& command) {
  const auto commands = command.get_subcommands({});
  for (CLI::App* subcommand : commands) add_to(*subcommand);
  if (!commands.empty()) return;
  command.add_option_function<std::string>(
      "--memory", [](const std::string& text) { hold_to(parse_memory(text)); },
      "Memory to take at most, e.g. 4G; by default half of the machine's");
}

}  // namespace

std::size_t parse_memory(const std::string& text) {
  double bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  std::string unit(end, text.data() + text.size());
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (unit.ends_with("IB")) unit.resize(unit.size() - 2);
  const std::string units = "KMGT";
  const std::size_t power = unit.empty() ? 0 : units.find(unit) + 1;
  const bool is_known = unit.empty() || (unit.size() == 1 && power > 0);
  if (error != std::errc() || !is_known)
    refuse_flag("--memory", fmt::format("`{}` is not an amount of memory", text), "write it like 500M or 4G");
  bytes *= std::pow(1024.0, static_cast<double>(power));
  if (!(bytes >= kLeast && bytes <= 0x1p62))
    refuse_flag("--memory", fmt::format("{} is not between 64M and what a machine can have", text),
                "write it like 500M or 4G");
  return static_cast<std::size_t>(bytes);
}

void add_memory_option(CLI::App& app) {
  hold_to(0);
  add_to(app);
}

}  // namespace greybox::apps
