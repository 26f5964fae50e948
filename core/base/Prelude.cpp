// The translation unit that carries the precompiled header of the plain folders; see CMakeLists.txt.
