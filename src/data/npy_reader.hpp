// One .npy array out of an archive.
#pragma once

#include "data/npz.hpp"
#include "data/zip_reader.hpp"

namespace greybox {

// Reads the whole entry as an array; throws InputError when it is not a valid numeric or text array. An array
// of at least so many axes may be left in the file.
NpzEntry read_npy(ZipEntry& entry, std::size_t least_axes_in_file);

}  // namespace greybox
