// What the explorer's page may ask, by the names of the questions; JSON in, JSON out.
#pragma once

#include <functional>
#include <string>

#include "analysis/explore/session.hpp"

namespace greybox {

// One line of an answer; false when nobody listens any more.
using AnswerSink = std::function<bool(const Json&)>;

// Whether there is a question of this name, and whether its answer comes in several lines.
bool is_question(const std::string& name);
bool is_streamed(const std::string& name);

// Gives the answer to `sink`, in one line unless it is streamed; a superseded request gets
// {"superseded": true}. `request` holds "client" and "sequence", which tell newer requests from older ones.
// Throws InputError when it makes no sense.
void answer(ExploreSession& session, Newest& newest, const std::string& name, const JsonValue& request,
            const AnswerSink& sink);

// How the training of the run goes on: how far it is, whose weights are shown and, where they are asked for,
// curves.
Json training_json(ExploreSession& session, bool with_curves);

// What the page starts from: the data of a report, without what has to be computed, and `live`, what it needs
// to ask. `path` is where it asks.
Json start_of(const ExploreSession& session, const std::string& path);

}  // namespace greybox
