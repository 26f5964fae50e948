#include "core/config/imports/AsterMessages.h"

namespace trainyard::aster {
namespace {

using protobuf::FieldType;
using protobuf::MessageType;
using Kind = FieldType::Kind;

FieldType flag(const char* name, const char* value = "false") {
    return {.name = name, .kind = Kind::Bool, .defaultText = value};
}
FieldType whole(const char* name, const char* value = "0") {
    return {.name = name, .kind = Kind::Integer, .defaultText = value};
}
FieldType count(const char* name, const char* value = "0") {
    return {.name = name, .kind = Kind::Integer, .defaultText = value, .isUnsigned = true};
}
FieldType real(const char* name, const char* value = "0") {
    return {.name = name, .kind = Kind::Real, .defaultText = value};
}
FieldType text(const char* name, const char* value = "") {
    return {.name = name, .kind = Kind::Text, .defaultText = value};
}
FieldType choice(const char* name, std::vector<std::string> names, const char* value, int firstNumber = 0) {
    return {
        .name = name, .kind = Kind::Enum, .defaultText = value, .names = std::move(names), .firstNumber = firstNumber};
}
FieldType group(const char* name, const MessageType& type) {
    return {.name = name, .message = &type};
}
FieldType repeated(FieldType field) {
    field.isRepeated = true;
    return field;
}
/// Fields of which one at most may be set.
std::vector<FieldType> oneof(const char* group, std::vector<FieldType> fields) {
    for (FieldType& field : fields)
        field.oneof = group;
    return fields;
}
std::vector<FieldType> operator+(std::vector<FieldType> fields, const std::vector<FieldType>& more) {
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
}

const MessageType& initializer() {
    static const MessageType truncated{"TruncatedNormalInitializer", {real("mean", "0.0"), real("stddev", "1.0")}};
    static const MessageType scaling{
        "VarianceScalingInitializer",
        {real("factor", "2.0"), flag("uniform"), choice("mode", {"FAN_IN", "FAN_OUT", "FAN_AVG"}, "FAN_IN")}};
    static const MessageType orthogonal{"OrthogonalInitializer", {real("gain", "1.0"), whole("seed")}};
    static const MessageType uniform{"UniformInitializer", {real("minval", "-0.1"), real("maxval", "0.1")}};
    static const MessageType type{"Initializer", oneof("initializer", {group("truncated_normal_initializer", truncated),
                                                                       group("variance_scaling_initializer", scaling),
                                                                       group("orthogonal_initializer", orthogonal),
                                                                       group("uniform_initializer", uniform)})};
    return type;
}

const MessageType& regularizer() {
    static const MessageType l1{"L1Regularizer", {real("weight", "0.0001")}};
    static const MessageType l2{"L2Regularizer", {real("weight", "0.0001")}};
    static const MessageType type{"Regularizer",
                                  oneof("regularizer", {group("l1_regularizer", l1), group("l2_regularizer", l2)})};
    return type;
}

const MessageType& hyperparams() {
    static const MessageType norm{"BatchNorm",
                                  {real("decay", "0.999"), flag("center", "true"), flag("scale"),
                                   real("epsilon", "0.001"), flag("train", "true")}};
    static const MessageType type{"Hyperparams",
                                  {choice("op", {"CONV", "FC"}, "CONV", 1), group("regularizer", regularizer()),
                                   group("initializer", initializer()),
                                   choice("activation", {"NONE", "RELU", "RELU_6"}, "RELU"),
                                   group("batch_norm", norm)}};
    return type;
}

const MessageType& convnet() {
    const std::vector<std::string> branches = {"SINGLE_BRANCH", "TWO_BRANCHES", "THREE_BRANCHES"};
    static const MessageType crnn{"CrnnNet",
                                  {choice("net_type", branches, "SINGLE_BRANCH"),
                                   group("conv_hyperparams", hyperparams()), flag("summarize_activations"),
                                   flag("tiny")}};
    static const MessageType resnet{"ResNet",
                                    {choice("net_type", branches, "SINGLE_BRANCH"),
                                     choice("net_depth", {"RESNET_30", "RESNET_50", "RESNET_100"}, "RESNET_50"),
                                     group("conv_hyperparams", hyperparams()), flag("summarize_activations")}};
    static const MessageType stn{
        "StnConvnet", {group("conv_hyperparams", hyperparams()), flag("summarize_activations"), flag("tiny")}};
    static const MessageType type{
        "Convnet", oneof("convnet", {group("crnn_net", crnn), group("resnet", resnet), group("stn_convnet", stn)})};
    return type;
}

const MessageType& rnnCell() {
    static const MessageType lstm{"LstmCell",
                                  {count("num_units", "128"), flag("use_peepholes"), real("forget_bias", "1.0"),
                                   group("initializer", initializer())}};
    static const MessageType gru{"GruCell", {count("num_units", "128"), group("initializer", initializer())}};
    static const MessageType type{"RnnCell", oneof("rnn_cell", {group("lstm_cell", lstm), group("gru_cell", gru)})};
    return type;
}

const MessageType& characterSet() {
    static const MessageType type{
        "CharacterSet",
        oneof("source", {text("text_file"), text("text_string"),
                         choice("built_in_set", {"LOWERCASE", "ALLCASES", "ALLCASES_SYMBOLS"}, "LOWERCASE")})};
    return type;
}

const MessageType& loss() {
    static const MessageType sequence{
        "SequenceCrossEntropyLoss",
        {flag("sequence_normalize"), flag("sample_normalize", "true"), real("weight", "1.0")}};
    static const MessageType regression{"L2RegressionLoss", {real("weight", "1.0")}};
    static const MessageType type{"Loss", oneof("loss", {group("sequence_cross_entropy_loss", sequence),
                                                         group("l2_regression_loss", regression)})};
    return type;
}

const MessageType& predictor() {
    static const MessageType labels{
        "LabelMap", {group("character_set", characterSet()), whole("label_offset"), whole("unk_label")}};
    static const MessageType language{"LanguageModelRnnCell",
                                      {repeated(group("rnn_cell", rnnCell())), text("restore_path")}};
    static const MessageType attention{
        "AttentionPredictor",
        {group("rnn_cell", rnnCell()), group("rnn_regularizer", regularizer()), whole("num_attention_units", "128"),
         whole("max_num_steps", "40"), flag("multi_attention"), whole("beam_width", "1"), flag("reverse"),
         group("label_map", labels), group("loss", loss()), group("lm_rnn_cell", language), flag("sync", "true")}};
    static const MessageType ctc{"CtcPredictor", {}};
    static const MessageType type{
        "Predictor", std::vector<FieldType>{text("name", "Predictor")} +
                         oneof("predictor", {group("attention_predictor", attention), group("ctc_predictor", ctc)})};
    return type;
}

const MessageType& model() {
    static const MessageType transformer{
        "SpatialTransformer",
        {group("convnet", convnet()), group("fc_hyperparams", hyperparams()), whole("localization_h", "64"),
         whole("localization_w", "128"), whole("output_h", "32"), whole("output_w", "100"), real("margin_x", "0.1"),
         real("margin_y", "0.1"), whole("num_control_points", "20"), text("init_bias_pattern", "identity"),
         text("activation", "none"), flag("summarize_activations")}};
    static const MessageType rnn{"BidirectionalRnn",
                                 {flag("static", "true"), group("fw_bw_rnn_cell", rnnCell()),
                                  group("rnn_regularizer", regularizer()), whole("num_output_units"),
                                  group("fc_hyperparams", hyperparams()), flag("summarize_activations")}};
    static const MessageType extractor{
        "FeatureExtractor",
        {group("convnet", convnet()), repeated(group("bidirectional_rnn", rnn)), flag("summarize_activations")}};
    static const MessageType predictors{
        "MultiPredictorsRecognitionModel",
        {group("spatial_transformer", transformer), group("feature_extractor", extractor),
         repeated(group("predictor", predictor())), flag("keypoint_supervision"), group("regression_loss", loss())}};
    static const MessageType type{"Model", oneof("model", {group("multi_predictors_recognition_model", predictors)})};
    return type;
}

const MessageType& preprocessingStep() {
    static const MessageType resizeRandomly{"ResizeImageRandomMethod",
                                            {whole("target_height", "512"), whole("target_width", "512")}};
    static const MessageType resize{
        "ResizeImage",
        {whole("target_height", "512"), whole("target_width", "512"),
         choice("method", {"AREA", "BICUBIC", "BILINEAR", "NEAREST_NEIGHBOR"}, "BILINEAR", 1)}};
    static const MessageType normalize{
        "NormalizeImage",
        {real("original_minval"), real("original_maxval"), real("target_minval", "0"), real("target_maxval", "1")}};
    static const MessageType scale{"RandomPixelValueScale", {real("minval", "0.9"), real("maxval", "1.1")}};
    static const MessageType randomGray{"RandomRgbToGray", {real("probability", "0.1")}};
    static const MessageType brightness{"RandomAdjustBrightness", {real("max_delta", "0.2")}};
    static const MessageType contrast{"RandomAdjustContrast", {real("min_delta", "0.8"), real("max_delta", "1.25")}};
    static const MessageType hue{"RandomAdjustHue", {real("max_delta", "0.02")}};
    static const MessageType saturation{"RandomAdjustSaturation",
                                        {real("min_delta", "0.8"), real("max_delta", "1.25")}};
    static const MessageType distort{"RandomDistortColor", {whole("color_ordering")}};
    static const MessageType toFloat{"ImageToFloat", {}};
    static const MessageType subtract{"SubtractChannelMean", {repeated(real("means"))}};
    static const MessageType gray{"RgbToGray", {flag("three_channels")}};
    static const MessageType filtering{"StringFiltering",
                                       {flag("lower_case"), group("include_charset", characterSet())}};
    static const MessageType type{
        "PreprocessingStep",
        oneof("step", {group("resize_image_random_method", resizeRandomly), group("resize_image", resize),
                       group("normalize_image", normalize), group("random_pixel_value_scale", scale),
                       group("random_rgb_to_gray", randomGray), group("random_adjust_brightness", brightness),
                       group("random_adjust_contrast", contrast), group("random_adjust_hue", hue),
                       group("random_adjust_saturation", saturation), group("random_distort_color", distort),
                       group("image_to_float", toFloat), group("subtract_channel_mean", subtract),
                       group("rgb_to_gray", gray), group("string_filtering", filtering)})};
    return type;
}

const MessageType& optimizer() {
    static const MessageType constant{"ConstantLearningRate", {real("learning_rate", "0.002")}};
    static const MessageType exponential{"ExponentialDecayLearningRate",
                                         {real("initial_learning_rate", "0.002"), count("decay_steps", "4000000"),
                                          real("decay_factor", "0.95"), flag("staircase", "true")}};
    static const MessageType schedule{"LearningRateSchedule", {count("step"), real("learning_rate", "0.002")}};
    static const MessageType manual{"ManualStepLearningRate",
                                    {real("initial_learning_rate", "0.002"), repeated(group("schedule", schedule))}};
    static const MessageType rate{"LearningRate",
                                  oneof("learning_rate", {group("constant_learning_rate", constant),
                                                          group("exponential_decay_learning_rate", exponential),
                                                          group("manual_step_learning_rate", manual)})};
    static const MessageType rmsProp{"RMSPropOptimizer",
                                     {group("learning_rate", rate), real("momentum_optimizer_value", "0.9"),
                                      real("decay", "0.9"), real("epsilon", "1.0")}};
    static const MessageType momentum{"MomentumOptimizer",
                                      {group("learning_rate", rate), real("momentum_optimizer_value", "0.9")}};
    static const MessageType adam{"AdamOptimizer", {group("learning_rate", rate)}};
    static const MessageType nadam{"NadamOptimizer", {group("learning_rate", rate)}};
    static const MessageType adadelta{"AdadeltaOptimizer", {group("learning_rate", rate), real("rho", "0.95")}};
    static const MessageType type{
        "Optimizer",
        oneof("optimizer",
              {group("rms_prop_optimizer", rmsProp), group("momentum_optimizer", momentum),
               group("adam_optimizer", adam), group("nadam_optimizer", nadam), group("adadelta_optimizer", adadelta)}) +
            std::vector<FieldType>{flag("use_moving_average", "true"), real("moving_average_decay", "0.9999")}};
    return type;
}

const MessageType& trainConfig() {
    static const MessageType type{
        "TrainConfig",
        {repeated(count("batch_size")), repeated(group("data_augmentation_options", preprocessingStep())),
         flag("sync_replicas"), count("keep_checkpoint_every_n_hours", "1000"), group("optimizer", optimizer()),
         real("gradient_clipping_by_norm", "0.0"), text("fine_tune_checkpoint"), flag("from_detection_checkpoint"),
         count("num_steps"), real("startup_delay_steps", "15"), real("bias_grad_multiplier", "0"),
         repeated(text("freeze_variables")), whole("replicas_to_aggregate", "1"), whole("batch_queue_capacity", "600"),
         whole("num_batch_queue_threads", "8"), whole("prefetch_queue_capacity", "10"),
         whole("save_checkpoint_secs", "600"), whole("save_summaries_steps", "100")}};
    return type;
}

const MessageType& evalConfig() {
    static const MessageType type{
        "EvalConfig",
        {count("num_visualizations", "10"), flag("only_visualize_incorrect"), count("num_examples", "5000"),
         count("eval_interval_secs", "300"), count("max_evals"), flag("save_graph"), text("visualization_export_dir"),
         text("eval_master"), text("metrics_set", "recognition_metrics"), text("export_path"),
         flag("ignore_groundtruth"), flag("use_moving_averages"), flag("eval_instance_masks"),
         flag("eval_with_lexicon"), repeated(group("data_preprocessing_steps", preprocessingStep()))}};
    return type;
}

const MessageType& inputReader() {
    static const MessageType records{"TFRecordInputReader", {text("input_path")}};
    static const MessageType external{"ExternalInputReader", {}};
    static const MessageType type{
        "InputReader",
        std::vector<FieldType>{text("label_map_path"), flag("shuffle", "true"), count("queue_capacity", "2000"),
                               count("min_after_dequeue", "1000"), count("num_epochs"), count("num_readers", "8"),
                               flag("load_instance_masks")} +
            oneof("input_reader",
                  {group("tf_record_input_reader", records), group("external_input_reader", external)})};
    return type;
}

} // namespace

const MessageType& pipelineConfig() {
    static const MessageType type{"TrainEvalPipelineConfig",
                                  {group("model", model()), group("train_config", trainConfig()),
                                   repeated(group("train_input_reader", inputReader())),
                                   group("eval_config", evalConfig()), group("eval_input_reader", inputReader())}};
    return type;
}

} // namespace trainyard::aster
