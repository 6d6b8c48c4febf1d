// The library's messages name fields of options structs; the command line calls them flags.
#pragma once

#include <functional>
#include <greybox/error.hpp>
#include <map>
#include <string>
#include <vector>

namespace greybox::apps {

// Flags by field, where a command calls a field otherwise than the others do.
using FlagExceptions = std::map<std::string, std::string>;

// "--" and the field, unless its flag has another name.
std::string flag_of(const std::string& field, const FlagExceptions& exceptions = {});

// ``option `resume` `` becomes `--resume`.
std::string with_flags(const std::string& text, const FlagExceptions& exceptions = {});
std::vector<std::string> with_flags(const std::vector<std::string>& texts,
                                    const FlagExceptions& exceptions = {});
// Its diagnostics name no options any more: their place is the flag.
InputError with_flags(const InputError& error, const FlagExceptions& exceptions = {});

// Does the work, whose InputError and Interruption then name the flags of a command that has exceptions.
void naming_flags(const FlagExceptions& exceptions, const std::function<void()>& work);

}  // namespace greybox::apps
