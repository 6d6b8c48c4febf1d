// Any text of an option is understood or refused with a message.
#include "at_option.hpp"
#include "memory_file.hpp"
#include "memory_option.hpp"
#include "on_option.hpp"
#include "range_option.hpp"
#include "rate_option.hpp"
#include "split_option.hpp"
#include "start_option.hpp"
#include "theta_option.hpp"
#include "vary_option.hpp"
#include "view_option.hpp"
#include "window_option.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace greybox::apps;
  const std::string text(greybox::fuzz::text_of(data, size));
  const std::function<void()> parsers[] = {
      [&] { parse_at(text); },          [&] { parse_memory(text); }, [&] { parse_on(text); },
      [&] { parse_range(text); },       [&] { parse_rate(text); },   [&] { parse_splits(text); },
      [&] { parse_theta(text); },       [&] { parse_held(text); },   [&] { parse_vary(text); },
      [&] { parse_view(text); },        [&] { parse_window(text); }, [&] { parse_start(text); },
      [&] { parse_theta_choice(text); }};
  for (const std::function<void()>& parse : parsers) greybox::fuzz::expect_read_or_refused(parse);
  return 0;
}
