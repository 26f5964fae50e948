#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trainyard {

/// A generator of its own for `seed`, on the CPU: neither reads nor moves the global one, which replicas share.
at::Generator makeGenerator(std::uint64_t seed);

/// Initial values as a function of (seed, parameter name), of nothing else: adding a layer leaves the others' values
/// alone, and every replica makes the same network. Fills CPU tensors in place.
class Initialiser {
public:
    explicit Initialiser(std::uint64_t seed) : m_seed(seed) {}

    void normal(const at::Tensor& tensor, std::string_view name, double deviation) const;
    void uniform(const at::Tensor& tensor, std::string_view name, double bound) const; ///< in [-bound, bound)

    /// For ReLU, by the number of outputs, as torchvision's ResNet. Source: He et al. 2015, "Delving Deep".
    void kaimingNormal(const at::Tensor& weight, std::string_view name) const;
    /// By the number of inputs, with gain 1, as torchvision's feature pyramid.
    void kaimingUniform(const at::Tensor& weight, std::string_view name) const;
    /// Normal, cut off at two deviations, by the number of inputs: deviation sqrt(1.3 factor / inputs), as
    /// TensorFlow's variance scaling.
    void varianceScaling(const at::Tensor& weight, std::string_view name, double factor = 2) const;
    /// Uniform by inputs and outputs together, [out, in]; a vector counts as square. Source: Glorot and Bengio 2010.
    void glorotUniform(const at::Tensor& weight, std::string_view name) const;
    /// `parts`, matrices [out, …] side by side, become one with orthonormal rows or columns, whichever are fewer.
    /// Source: Saxe et al. 2014, "Exact solutions to the nonlinear dynamics of learning".
    void orthogonal(const std::vector<at::Tensor>& parts, std::string_view name) const;

private:
    at::Generator generatorFor(std::string_view name) const;

    std::uint64_t m_seed;
};

/// While it lives, it notes how this thread's initialisers fill tensors.
class InitialiserNotes {
public:
    InitialiserNotes();
    ~InitialiserNotes();
    InitialiserNotes(const InitialiserNotes&) = delete;
    InitialiserNotes& operator=(const InitialiserNotes&) = delete;

    /// "normal, deviation 0.01"; empty where none of them filled this tensor.
    std::string of(const at::Tensor& tensor) const;

    /// Of whichever lives on this thread, if any.
    static void note(const at::Tensor& tensor, const std::string& text);

private:
    std::unordered_map<const void*, std::string> m_texts; ///< by what stays the same when a tensor gets other memory
    InitialiserNotes* m_outer;
};

/// Fills with one value.
void fillWith(const at::Tensor& tensor, double value);

} // namespace trainyard
