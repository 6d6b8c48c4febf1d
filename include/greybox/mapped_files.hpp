// Which data file stands in the program's addresses.
#pragma once

namespace greybox {

// The data file of which an address is part, or null. For a program's handler of SIGBUS, which the system
// sends where a file that is read window by window was made shorter meanwhile, or its disk fails: this may
// be called there.
const char* mapped_file_at(const void* address) noexcept;

}  // namespace greybox
