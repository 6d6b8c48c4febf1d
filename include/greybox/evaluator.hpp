#pragma once
namespace greybox { class Evaluator; }
