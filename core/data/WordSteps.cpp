#include "core/data/WordSteps.h"

#include "core/data/ColourTransforms.h"
#include "core/data/HueSaturation.h"
#include "core/data/SamplePixels.h"
#include "core/data/WordTransforms.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace trainyard {
namespace {

constexpr double kWhite = 255;

void clamp(cv::Mat& numbers) {
    for (int y = 0; y < numbers.rows; ++y) {
        auto* row = numbers.ptr<float>(y);
        for (int i = 0; i < numbers.cols * numbers.channels(); ++i)
            row[i] = std::clamp(row[i], 0.F, float(kWhite));
    }
}

void addBrightness(cv::Mat& numbers, double largest, Random& random) {
    numbers += cv::Scalar::all(random.uniform(-largest, largest) * kWhite);
}

/// Around each channel's mean.
void scaleContrast(cv::Mat& numbers, double least, double most, Random& random) {
    const double factor = random.uniform(least, most);
    const cv::Scalar mean = cv::mean(numbers);
    numbers = numbers * factor + mean * (1 - factor);
}

void turnHue(cv::Mat& numbers, double largest, Random& random) {
    shiftHue(numbers, random.uniform(-largest, largest));
}

void scaleSaturation(cv::Mat& numbers, double least, double most, Random& random) {
    trainyard::scaleSaturation(numbers, random.uniform(least, most));
}

void distortColour(cv::Mat& numbers, bool contrastIsLast, Random& random) {
    addBrightness(numbers, 32.0 / kWhite, random);
    if (!contrastIsLast)
        scaleContrast(numbers, 0.5, 1.5, random);
    scaleSaturation(numbers, 0.5, 1.5, random);
    turnHue(numbers, 0.2, random);
    if (contrastIsLast)
        scaleContrast(numbers, 0.5, 1.5, random);
}

void scaleValues(cv::Mat& numbers, double least, double most, Random& random) {
    for (int y = 0; y < numbers.rows; ++y) {
        auto* row = numbers.ptr<float>(y);
        for (int i = 0; i < numbers.cols * numbers.channels(); ++i)
            row[i] *= float(random.uniform(least, most));
    }
}

cv::Mat greyOf(const cv::Mat& numbers, bool hasThreeChannels) {
    cv::Mat grey = numbers;
    if (numbers.channels() == 3)
        cv::cvtColor(numbers, grey, cv::COLOR_RGB2GRAY);
    if (hasThreeChannels)
        cv::cvtColor(grey, grey, cv::COLOR_GRAY2RGB);
    return grey;
}

void subtractMeans(cv::Mat& numbers, const std::vector<double>& means) {
    cv::Scalar all;
    for (std::size_t c = 0; c < std::min<std::size_t>(4, means.size()); ++c)
        all[int(c)] = means[c];
    numbers -= all;
}

void remap(cv::Mat& numbers, const DataStep& step) {
    const double from = step.number("original_minval"), to = step.number("target_minval");
    const double before = step.number("original_maxval") - from, after = step.number("target_maxval") - to;
    const double factor = before > 0 ? after / before : 0;
    numbers.convertTo(numbers, -1, factor, to - from * factor);
}

/// One step; what it does to the numbers is a function.
class NumberStep final : public Transform {
public:
    using Work = std::function<void(cv::Mat& numbers, Random& random)>;
    NumberStep(std::string name, Work work) : m_name(std::move(name)), m_work(std::move(work)) {}

    std::string name() const override { return m_name; }
    void apply(Sample& sample, Random& random) const override {
        cv::Mat numbers = numbersOf(sample).clone();
        m_work(numbers, random);
        setPixels(sample, numbers);
    }

private:
    std::string m_name;
    Work m_work;
};

/// Scales to a size by one method, or by one of four at random.
class ResizeStep final : public Transform {
public:
    ResizeStep(std::string name, int width, int height, std::vector<int> methods)
        : m_name(std::move(name)), m_width(width), m_height(height), m_methods(std::move(methods)) {}

    std::string name() const override { return m_name; }
    void apply(Sample& sample, Random& random) const override {
        const auto last = std::int64_t(m_methods.size()) - 1;
        const int method = m_methods[std::size_t(last > 0 ? random.integer(0, last) : 0)];
        numbersOf(sample);
        resizePixels(sample, m_width, m_height, method);
    }

private:
    std::string m_name;
    int m_width, m_height;
    std::vector<int> m_methods;
};

int methodOf(const std::string& name) {
    static const std::map<std::string, int> methods{{"bilinear", cv::INTER_LINEAR},
                                                    {"nearest", cv::INTER_NEAREST},
                                                    {"bicubic", cv::INTER_CUBIC},
                                                    {"area", cv::INTER_AREA}};
    return methods.at(name);
}

std::unique_ptr<Transform> resizeOf(const DataStep& step, const WordInput& input) {
    const int width = int(step.number("target_width")), height = int(step.number("target_height"));
    std::vector<int> methods;
    if (step.name == "resize_image")
        methods = {methodOf(step.text("method"))};
    else
        for (const char* name : {"bilinear", "nearest", "bicubic", "area"})
            methods.push_back(methodOf(name));
    return std::make_unique<ResizeStep>(step.name, width > 0 ? width : int(input.width),
                                        height > 0 ? height : int(input.height), std::move(methods));
}

/// What a step does to numbers; nothing where it is none of these.
NumberStep::Work workOf(const DataStep& step) {
    const auto number = [&](const char* option) { return step.number(option); };
    const auto within = [](auto work) { // a change of colours stays within black and white
        return [work](cv::Mat& numbers, Random& random) {
            work(numbers, random);
            clamp(numbers);
        };
    };
    if (step.name == "image_to_float")
        return [](cv::Mat&, Random&) {};
    if (step.name == "normalize_image")
        return [step](cv::Mat& numbers, Random&) { remap(numbers, step); };
    if (step.name == "subtract_channel_mean")
        return [means = step.numbers("means")](cv::Mat& numbers, Random&) { subtractMeans(numbers, means); };
    if (step.name == "rgb_to_gray")
        return [three = step.isSet("three_channels")](cv::Mat& numbers, Random&) { numbers = greyOf(numbers, three); };
    if (step.name == "random_rgb_to_gray")
        return [chance = number("probability")](cv::Mat& numbers, Random& random) {
            if (random.chance(chance) && numbers.channels() == 3)
                numbers = greyOf(numbers, true);
        };
    if (step.name == "random_pixel_value_scale")
        return within([least = number("minval"), most = number("maxval")](cv::Mat& numbers, Random& random) {
            scaleValues(numbers, least, most, random);
        });
    if (step.name == "random_adjust_brightness")
        return within(
            [most = number("max_delta")](auto& numbers, auto& random) { addBrightness(numbers, most, random); });
    if (step.name == "random_adjust_hue")
        return within([most = number("max_delta")](auto& numbers, auto& random) { turnHue(numbers, most, random); });
    if (step.name == "random_adjust_contrast")
        return within([least = number("min_delta"), most = number("max_delta")](auto& numbers, auto& random) {
            scaleContrast(numbers, least, most, random);
        });
    if (step.name == "random_adjust_saturation")
        return within([least = number("min_delta"), most = number("max_delta")](auto& numbers, auto& random) {
            scaleSaturation(numbers, least, most, random);
        });
    if (step.name == "random_distort_color")
        return within([last = step.text("color_ordering") == "0"](auto& numbers, auto& random) {
            distortColour(numbers, last, random);
        });
    return {};
}

} // namespace

void addStep(TransformChain& chain, const DataStep& step, const WordInput& input) {
    if (step.name.starts_with("resize_image"))
        chain.add(resizeOf(step, input));
    else if (step.name == "random_crop")
        chain.add(std::make_unique<CropJitter>(step.number("corner"), step.number("degrees")));
    else if (step.name == "random_blur")
        chain.add(std::make_unique<RandomBlur>(step.number("max_sigma")));
    else if (step.name == "random_noise")
        chain.add(std::make_unique<RandomNoise>(step.number("max_deviation")));
    else if (auto work = workOf(step))
        chain.add(std::make_unique<NumberStep>(step.name, std::move(work)));
}

} // namespace trainyard
