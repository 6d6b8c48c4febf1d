// Where tests find the files they read and the program they run. Only paths.cpp is compiled with the paths
// themselves, so that the compiler cache knows every other object again in another clone.
#pragma once

namespace greybox {

extern const char* const kSourceFolder;
extern const char* const kTool;
// Libraries to preload: one counts opened files, with the other the disk fails.
extern const char* const kOpenCount;
extern const char* const kFailingDisk;

}  // namespace greybox
