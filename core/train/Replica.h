#pragma once

#include "core/config/RunConfig.h"
#include "core/models/Model.h"
#include "core/parallel/Communicator.h"
#include "core/solve/GradientPipeline.h"
#include "core/solve/Optimizer.h"
#include "core/telemetry/OperatorReport.h"
#include "core/telemetry/StepReport.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// One copy of the model on one device with its optimiser and its random state. Used on its own thread; between two
/// pieces of work the trainer's thread may look at it.
class Replica {
public:
    Replica(int rank, c10::Device device, std::shared_ptr<Model> model, const RunConfig& config, bool isBf16,
            std::unique_ptr<Communicator> communicator);

    /// What one part of a batch gave.
    struct PartResult {
        std::vector<std::pair<std::string, double>> losses, metrics;
        bool isFinite = true;
        double forwardSeconds = 0, backwardSeconds = 0;
    };

    /// Forward and, where every loss is finite, backward: `share` times the gradient is added to what is there. A
    /// `randomDoor` is held while the forward pass may draw from the device's one generator, which then has this
    /// replica's own state; without one the generator is left as it is. Where it `isWatched`, the operators of the
    /// forward pass are noted.
    PartResult accumulate(const Batch& part, double share, std::mutex* randomDoor, bool isWatched = false);
    /// The operators of the forward pass that was watched last.
    std::vector<OperatorCall> takeWatchedCalls() { return std::exchange(m_watchedCalls, {}); }
    /// What the model shows of itself on this part; nothing of it changes.
    Model::Summary summarise(const Batch& part);
    void clearGradients();
    /// Which parameters have a gradient; those that another replica has and this one lacks are filled with zeros.
    std::vector<bool> gradientPresence() const;
    void fillGradients(const std::vector<bool>& wanted);
    /// Gradients and running statistics become the mean over all replicas. A call of every rank.
    void average();
    GradientReport prepareGradients() { return runGradientPipeline(m_parameters, m_config); }
    void update(double rate, std::vector<double>* norms) { m_optimizer->step(rate, norms); }

    /// What a forward pass changes, as it was before a batch that is not to count: the running statistics alone, or the
    /// random state too.
    void remember();
    void restoreBuffers();
    void restoreAll();

    /// Parameters and buffers of every rank become rank 0's. A call of every rank.
    void takeFirstValues();

    int rank() const { return m_rank; }
    c10::Device device() const { return m_device; }
    Model& model() { return *m_model; }
    Optimizer& optimizer() { return *m_optimizer; }
    Communicator& communicator() { return *m_communicator; }
    const std::vector<Parameter>& parameters() const { return m_parameters; }
    /// Parameters, then buffers, by the names of a state_dict. Shares memory.
    NamedTensors state() const;
    at::Tensor randomState() const { return m_randomState; }
    void setRandomState(const at::Tensor& state) { m_randomState = state.clone(); }
    /// Names of parameters that hold NaN or infinity, in the model's order.
    std::vector<std::string> nonFiniteWeights() const;

private:
    std::vector<at::Tensor> floatBuffers() const;

    int m_rank;
    c10::Device m_device;
    std::shared_ptr<Model> m_model;
    SolveConfig m_config;
    bool m_isBf16;
    bool m_isRecomputing;
    std::unique_ptr<Communicator> m_communicator;
    std::vector<Parameter> m_parameters;
    std::unique_ptr<Optimizer> m_optimizer;
    at::Tensor m_randomState;
    std::vector<OperatorCall> m_watchedCalls;
    std::vector<at::Tensor> m_rememberedBuffers;
    at::Tensor m_rememberedRandomState;
};

/// The state of `device`'s own generator, which all threads share.
at::Tensor generatorState(c10::Device device);

} // namespace trainyard
