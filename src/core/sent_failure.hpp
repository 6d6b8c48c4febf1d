// What a process threw, as text that another can throw again.
#pragma once

#include <exception>
#include <string>

namespace greybox {

std::string failure_text(const std::exception_ptr& failure);

// Where it came from another rank than 0, messages that are not the user's mistake say so.
std::exception_ptr failure_of(const std::string& text, std::size_t from);

}  // namespace greybox
