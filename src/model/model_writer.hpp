// The text of a first model file.
#pragma once

#include <string>

#include "greybox/new_model.hpp"
#include "model/model_draft.hpp"

namespace greybox {

std::string write_model(const ModelDraft& draft, const DataTable& table, const TableProfile& profile,
                        const WindowProposal& windows, const NewModelOptions& options);

}  // namespace greybox
