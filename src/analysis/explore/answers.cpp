#include "analysis/explore/answers.hpp"

#include <algorithm>
#include <map>

#include "analysis/explore/evaluation_json.hpp"
#include "analysis/explore/pins.hpp"
#include "analysis/page/report_parts.hpp"
#include "greybox/explain.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFollowingSteps = 10, kMostDescentSteps = 2000, kLongestClient = 64;

struct Asked {
  ExploreSession& session;
  const JsonValue& request;
  const Newest::Ticket& ticket;
  const AnswerSink& sink;
  // As it was when the question came.
  std::shared_ptr<const ExploredModel> model = session.model();

  const Run& run() const { return model->run.handle; }
  const ModelSpec& spec() const { return *model->run.loaded.spec; }

  ExploredPoint point() const {
    ExploredPoint point{theta_from(spec(), request.at("theta").numbers_by_name())};
    if (const auto network = request.find("network")) point.network = network->count();
    if (const auto split = request.find("split")) point.split = split_named(split->text());
    return point;
  }
  std::vector<std::size_t> counts(const char* name) const {
    std::vector<std::size_t> counts;
    if (const auto list = request.find(name))
      for (const JsonValue& one : list->elements()) counts.push_back(one.count());
    return counts;
  }
  bool flag(const char* name) const {
    const auto value = request.find(name);
    return value && value->boolean();
  }
  void superseded() const { sink({{"superseded", true}}); }
};

void answer_evaluate(const Asked& asked) {
  const EvaluateRequest request{asked.point(), asked.flag("quick"), asked.counts("shown")};
  const auto step = asked.request.find("step");
  const std::optional<Evaluation> found = asked.session.evaluate(request, asked.ticket);
  if (!found) return asked.superseded();
  asked.sink(json_of(asked.session, request, *found, step ? step->count() : ~std::size_t{0}));
}

void answer_scan(const Asked& asked) {
  asked.session.scan({asked.point(), asked.counts("axes")}, asked.ticket, asked.sink);
}

DescentRequest descent_from(const Asked& asked) {
  DescentRequest request{
      .point = asked.point(), .is_free = {}, .regularizer = asked.request.at("regularizer").text()};
  const std::vector<std::size_t> free = asked.counts("free");
  for (std::size_t p = 0; p < asked.spec().parameters.size(); ++p)
    request.is_free.push_back(std::find(free.begin(), free.end(), p) != free.end());
  return request;
}

Json json_of(const ModelSpec& spec, const DescentStep& step) {
  return {{"theta", theta_by_name(spec, step.theta)}, {"R", step.regularizer}, {"L", step.loss}};
}

// "start": a draw of the prior to begin at instead of θ, for the parameters that are free.
void answer_descend(const Asked& asked) {
  DescentRequest request = descent_from(asked);
  if (const auto start = asked.request.find("start")) {
    const std::vector<double> drawn = asked.session.box().draw(0, start->whole_number());
    for (std::size_t p = 0; p < drawn.size(); ++p)
      if (request.is_free[p]) request.point.theta[p] = drawn[p];
  }
  if (const auto steps = asked.request.find("steps"))
    request.n_evaluations = std::min(steps->count(), kMostDescentSteps);
  const std::optional<DescentEnd> end =
      asked.session.descend(request, asked.ticket,
                            [&](const DescentStep& step) { return asked.sink(json_of(asked.spec(), step)); });
  if (!end) return asked.superseded();
  Json last = json_of(asked.spec(), end->best);
  last.update({{"is_end", true}, {"evaluations", end->n_evaluations}, {"windows", end->n_windows}});
  asked.sink(last);
}

// The free parameters follow the others to where R is lowest.
void answer_follow(const Asked& asked) {
  DescentRequest request = descent_from(asked);
  request.n_evaluations = kFollowingSteps;
  request.is_quick = true;
  const std::optional<DescentEnd> end = asked.session.descend(request, asked.ticket);
  if (!end) return asked.superseded();
  asked.sink(json_of(asked.spec(), end->best));
}

void answer_means(const Asked& asked) {
  asked.sink({{"terms", asked.session.add_means(asked.request.at("expression").text())}});
}

void answer_pins(const Asked& asked) {
  const std::vector<Pin> pins = pins_from(asked.request.at("pins"), asked.run());
  asked.sink({{"warning", keep_pins(asked.run(), pins)}});
}

void answer_unlock(const Asked& asked) {
  asked.sink({{"warnings", asked.session.unlock_test()}});
}

void answer_explain(const Asked& asked) {
  const ExploredPoint point = asked.point();
  ExploreSession& session = asked.session;
  if (point.split == Split::test && !session.is_test_unlocked())
    asked.request.at("split").refuse("a split that is unlocked");
  ExplainOptions options{.theta = theta_by_name(asked.spec(), point.theta)};
  options.on = Splits{{point.split}};
  options.execution = {.n_threads = 1, .cancel = &session.is_ending()};
  asked.sink(read_json_text(to_json(explain(asked.run(), options)), "explanation"));
}

// With the curves where they are asked for: they are long.
void answer_training(const Asked& asked) {
  asked.sink(training_json(asked.session, asked.flag("curves")));
}

struct Question {
  void (*answer)(const Asked&);
  bool is_streamed = false;
};

const std::map<std::string, Question>& questions() {
  static const std::map<std::string, Question> all = {
      {"evaluate", {answer_evaluate}}, {"scan", {answer_scan, true}}, {"descend", {answer_descend, true}},
      {"follow", {answer_follow}},     {"means", {answer_means}},     {"pins", {answer_pins}},
      {"unlock", {answer_unlock}},     {"explain", {answer_explain}}, {"training", {answer_training}}};
  return all;
}

}  // namespace

bool is_question(const std::string& name) {
  return questions().contains(name);
}

bool is_streamed(const std::string& name) {
  const auto found = questions().find(name);
  return found != questions().end() && found->second.is_streamed;
}

void answer(ExploreSession& session, Newest& newest, const std::string& name, const JsonValue& request,
            const AnswerSink& sink) {
  const std::string client = request.at("client").text();
  if (client.size() > kLongestClient) request.at("client").refuse("a short text");
  const Newest::Ticket ticket = newest.take(client + "/" + name, request.at("sequence").count());
  questions().at(name).answer({session, request, ticket, sink});
}

}  // namespace greybox
