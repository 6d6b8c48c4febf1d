// One .npy array out of an archive.
#pragma once

#include "data/npz.hpp"
#include "data/zip_reader.hpp"

namespace greybox {

// Reads the whole entry as an array; throws InputError when it is not a valid numeric or text array.
NpzEntry read_npy(ZipEntry& entry);

}  // namespace greybox
