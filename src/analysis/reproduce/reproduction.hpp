// What the four experiments share: their steps, each of which continues where an earlier call stopped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/reproduce/kept_landscapes.hpp"
#include "analysis/reproduce/reproduce_folder.hpp"
#include "greybox/compare.hpp"
#include "greybox/reproduce.hpp"

namespace greybox {

// What must hold for a number to be comparable with the paper's; else it is reported but not judged.
struct Needs {
  bool published_data = false;
  bool full_length = false;  // the paper's numbers of epochs and samples
};
inline constexpr Needs kNeedsData{.published_data = true, .full_length = false},
    kNeedsLength{.published_data = false, .full_length = true},
    kNeedsBoth{.published_data = true, .full_length = true};

class Reproduction {
 public:
  explicit Reproduction(const ReproduceOptions& options);

  const ReproduceOptions& options() const { return options_; }
  const ReproduceFolder& folder() const { return folder_; }
  template <class T>
  T full_or_quick(T full, T quick) const {
    return options_.quick ? quick : full;
  }
  std::size_t epochs(std::size_t full, std::size_t quick) const;
  std::size_t trials(std::size_t full, std::size_t quick) const;
  std::size_t networks(std::size_t full, std::size_t quick) const;

  // Steps; of the request, what is special to the experiment. All throw Interruption when the user ended the
  // work; what is finished stays in the folder.
  void prepare(std::string_view model, const DataOptions& request = {});
  Run learn(TrainOptions request);
  // Over `request.seeds` networks.
  std::vector<LandscapeGrid> map(const Run& run, const std::string& name, LandscapeOptions request);
  // The same, with verdicts for the report; `where` says of which data.
  std::vector<LandscapeGrid> map_and_judge(const Run& run, const std::string& name, const std::string& where,
                                           LandscapeOptions request);
  // What shards and further processes share: the trials of the comparison, of which an experiment may have
  // none. Before all other steps but the data. False when nothing else is to be done here.
  bool begin_comparison(const std::optional<CompareOptions>& request);
  Comparison compare_modes(CompareOptions request);  // at least one trial

  // To be called by what takes long and is not a step of this class.
  void begin(const std::string& stage, const std::string& unit) const;

  void set_settings(std::string text);  // a few words about epochs and the like
  void find(ComparedNumber finding, const Needs& needs = {});
  void show(const std::string& name, PanelFigure figure) const;
  void show(const std::string& name, SeriesFigure figure) const;
  void show(const std::string& name, FieldFigure figure) const;
  void show(const std::string& name, Comparison figure) const;
  void warn(const std::vector<std::string>& warnings);

  const ReproduceReport& report() const { return report_; }

 private:
  void stop_if_cancelled() const;
  KeptLandscape kept_or_made(const Run& run, const std::string& name, LandscapeOptions request,
                             bool has_verdicts);
  std::string label() const;  // what every figure says of its making
  template <class F>
  void show_labelled(const std::string& name, F figure) const;

  // Without the communicator, which is of the comparison alone.
  ReproduceOptions options_;
  Communicator* communicator_;
  ReproduceFolder folder_;
  ReproduceReport report_;
};

}  // namespace greybox
