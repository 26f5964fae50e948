#include "core/project/StatisticsCodec.h"

#include "core/project/PointCodec.h"

namespace trainyard {
namespace {

constexpr std::size_t kReals = 6; // of one tensor

std::vector<double> realsOf(const TensorStatistics& tensor) {
    return {tensor.norm, tensor.minimum, tensor.maximum, tensor.mean, tensor.deviation, tensor.zeroShare};
}

void put(BlobWriter& blob, std::vector<double>& reals, const TensorStatistics& tensor) {
    blob.integer(tensor.count);
    blob.integer(tensor.nonFinite);
    for (const std::uint32_t bin : tensor.histogram)
        blob.integer(bin);
    const auto own = realsOf(tensor);
    reals.insert(reals.end(), own.begin(), own.end());
}

void takeIntegers(BlobReader& blob, TensorStatistics& tensor) {
    tensor.count = blob.integer();
    tensor.nonFinite = blob.integer();
    for (std::uint32_t& bin : tensor.histogram)
        bin = std::uint32_t(blob.integer());
}

const double* takeReals(const double* from, TensorStatistics& tensor) {
    tensor.norm = from[0];
    tensor.minimum = from[1];
    tensor.maximum = from[2];
    tensor.mean = from[3];
    tensor.deviation = from[4];
    tensor.zeroShare = from[5];
    return from + kReals;
}

} // namespace

std::string encodeStatistics(const StatisticsReport& report) {
    BlobWriter blob;
    std::vector<double> reals;
    for (const ParameterReport& parameter : report.parameters) {
        put(blob, reals, parameter.weight);
        put(blob, reals, parameter.gradient);
        reals.push_back(parameter.updateToWeight);
    }
    blob.planes(reals);
    return blob.compressed();
}

std::optional<StatisticsReport> decodeStatistics(std::int64_t iteration, const std::vector<std::string>& names,
                                                 std::string_view data) {
    BlobReader blob(data);
    StatisticsReport report;
    report.iteration = iteration;
    report.parameters.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        report.parameters[i].name = names[i];
        takeIntegers(blob, report.parameters[i].weight);
        takeIntegers(blob, report.parameters[i].gradient);
    }
    const auto reals = blob.planes((2 * kReals + 1) * names.size());
    if (!blob.isGood() || blob.left() != 0)
        return std::nullopt;
    const double* next = reals.data();
    for (ParameterReport& parameter : report.parameters) {
        next = takeReals(next, parameter.weight);
        next = takeReals(next, parameter.gradient);
        parameter.updateToWeight = *next++;
    }
    return report;
}

} // namespace trainyard
