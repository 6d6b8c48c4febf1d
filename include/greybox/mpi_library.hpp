// Which MPI the library was built with: processes that share a communicator must use the same.
#pragma once

#include <string>

namespace greybox {

// What it says of itself; empty in a library without MPI.
std::string mpi_library();

}  // namespace greybox
