// What a recipe chose, as JSON of run.json.
#pragma once

#include "data/json_file.hpp"
#include "greybox/recipe.hpp"

namespace greybox {

Json json_of(const RecipeRecord& record);
RecipeRecord recipe_from(const JsonValue& json);

}  // namespace greybox
