#pragma once

namespace trainyard {

/// Gives operators `count` compute threads, and OpenBLAS, which has a pool of its own, one: with both pools at two,
/// recurrent layers run 2–4 times slower. Before the first operator of a program. LibTorch keeps the count a thread:
/// each engine or replica thread calls it again for itself.
void configureThreads(int count);

/// Keeps big activations in the process instead of giving them back to the system after every step (2–17 % of a step).
/// First line of `main`; nothing where the C library is not glibc.
void configureHeap();

} // namespace trainyard
