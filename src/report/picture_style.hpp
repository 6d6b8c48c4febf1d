// What a publication asks of a picture, in terms of a drawing.
#pragma once

#include "greybox/picture.hpp"

namespace greybox {

// How large a drawing of so many points is printed; 1 where no width is asked for. Throws InputError for
// widths at which nothing can be read or that no page has.
double print_scale(const PictureStyle& style, double width);

// The width that is asked for, in points; 0 for none.
double points_wide(const PictureStyle& style);

}  // namespace greybox
