#include "option_text.hpp"

#include <greybox/error.hpp>
#include <utility>

namespace greybox::apps {

void refuse_flag(std::string flag, std::string message, std::string help) {
  throw InputError(
      Diagnostic{.file = std::move(flag), .message = std::move(message), .help = std::move(help)});
}

void OptionText::refuse(std::size_t begin, std::size_t end, std::string message) const {
  throw InputError(Diagnostic{.file = flag,
                              .span = {1, begin + 1, end > begin ? end - begin : 1},
                              .message = std::move(message),
                              .line = text,
                              .help = help});
}

}  // namespace greybox::apps
