#include "flag_names.hpp"

#include <algorithm>

namespace greybox::apps {
namespace {

const FlagExceptions kOtherNames = {
    {"folder", "-o"},
    {"output", "-o"},
    {"held", "--at"},
    {"is_simulated", "--simulated"},
    {"lambdas", "--lambda"},
    {"n_shown", "--shown"},
    {"n_threads", "--threads"},
    {"n_windows", "--sample"},
    {"theta_from", "--theta"},
    {"plane", "--view"},
    {"reference", "--at"},
    {"regularizers", "--regularizer"},
    {"single_precision", "--precision"},
    {"target_acceptance", "--target"},
};

Diagnostic placed_at_flag(Diagnostic diagnostic, const FlagExceptions& exceptions) {
  if (!diagnostic.option.empty()) diagnostic.file = flag_of(diagnostic.option, exceptions);
  diagnostic.option.clear();
  diagnostic.message = with_flags(diagnostic.message, exceptions);
  diagnostic.help = with_flags(diagnostic.help, exceptions);
  return diagnostic;
}

// What a program calls again, a person types again.
std::string with_commands(std::string text) {
  const std::string call = "the same call", command = "the same command";
  for (std::size_t found = text.find(call); found != std::string::npos; found = text.find(call, found))
    text.replace(found, call.size(), command);
  return text;
}

}  // namespace

std::string flag_of(const std::string& field, const FlagExceptions& exceptions) {
  for (const FlagExceptions& names : {std::cref(exceptions), std::cref(kOtherNames)})
    if (const auto found = names.find(field); found != names.end()) return found->second;
  std::string flag = "--" + field;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string with_flags(const std::string& text, const FlagExceptions& exceptions) {
  const std::string opening = "option `";
  std::string result;
  std::size_t done = 0;
  for (std::size_t found = text.find(opening); found != std::string::npos; found = text.find(opening, done)) {
    const std::size_t begin = found + opening.size(), end = text.find('`', begin);
    if (end == std::string::npos) break;
    result += text.substr(done, found - done) + flag_of(text.substr(begin, end - begin), exceptions);
    done = end + 1;
  }
  return with_commands(result + text.substr(done));
}

std::vector<std::string> with_flags(const std::vector<std::string>& texts, const FlagExceptions& exceptions) {
  std::vector<std::string> result;
  for (const std::string& text : texts) result.push_back(with_flags(text, exceptions));
  return result;
}

InputError with_flags(const InputError& error, const FlagExceptions& exceptions) {
  std::vector<Diagnostic> diagnostics;
  for (const Diagnostic& diagnostic : error.diagnostics())
    diagnostics.push_back(placed_at_flag(diagnostic, exceptions));
  return InputError(std::move(diagnostics));
}

void naming_flags(const FlagExceptions& exceptions, const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    throw with_flags(error, exceptions);
  } catch (const Interruption& error) {
    throw Interruption(with_flags(std::string(error.what()), exceptions));
  }
}

}  // namespace greybox::apps
