#pragma once

namespace trainyard {

/// Where nobody chose otherwise (OMP_WAIT_POLICY, GOMP_SPINCOUNT): starts this program anew, in the same process, with
/// compute threads that sleep soon when they wait for each other. libgomp reads its settings when it is loaded, before
/// `main`, and its own choice burns 300 000 rounds: with other programs on the cores a small network trained 30 to 60
/// times slower (820 ms a step against 13 to 37, load 20 on two cores). Among the first lines of `main`; comes back
/// where there is nothing to do or it cannot.
void startAnewToWaitPatiently(char** argv);

} // namespace trainyard
