// Carries a precompiled header for test programs; see ../CMakeLists.txt.
