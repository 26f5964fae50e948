// The translation unit that carries the engine's precompiled header; see cmake/TrainyardTargets.cmake.
