#include "support/paths.hpp"

namespace greybox {

const char* const kSourceFolder = GREYBOX_SOURCE_DIR;
const char* const kTool = GREYBOX_BINARY;
const char* const kOpenCount = GREYBOX_OPEN_COUNT;
const char* const kFailingDisk = GREYBOX_FAILING_DISK;

}  // namespace greybox
