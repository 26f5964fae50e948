#pragma once

#include <string>

namespace trainyard::testing {

/// An ASTER configuration with the model of the published one, in a few lines.
inline std::string asterDemo() {
    return R"(model { multi_predictors_recognition_model {
  spatial_transformer { convnet { stn_convnet { } } localization_h: 32 localization_w: 64 margin_x: 0 margin_y: 0
    init_bias_pattern: "sine" }
  feature_extractor { convnet { resnet { } }
    bidirectional_rnn { fw_bw_rnn_cell { lstm_cell { num_units: 256 } } num_output_units: 256 }
    bidirectional_rnn { fw_bw_rnn_cell { lstm_cell { num_units: 256 } } num_output_units: 256 } }
  predictor { name: "Forward" attention_predictor { rnn_cell { lstm_cell { num_units: 128 } } beam_width: 5
    label_map { character_set { built_in_set: ALLCASES_SYMBOLS } label_offset: 2 }
    loss { sequence_cross_entropy_loss { weight: 0.5 } } } }
  predictor { name: "Backward" attention_predictor { rnn_cell { lstm_cell { num_units: 128 } } beam_width: 5 reverse: true
    label_map { character_set { built_in_set: ALLCASES_SYMBOLS } label_offset: 2 }
    loss { sequence_cross_entropy_loss { weight: 0.5 } } } } } }
train_config { batch_size: [32, 16] num_steps: 1000 save_summaries_steps: 50 keep_checkpoint_every_n_hours: 4
  data_augmentation_options { resize_image_random_method { target_height: 48 target_width: 160 } }
  optimizer { adadelta_optimizer { learning_rate { constant_learning_rate { learning_rate: 1 } } } } }
train_input_reader { num_readers: 4 tf_record_input_reader { input_path: "a.tfrecord" } }
train_input_reader { num_readers: 2 tf_record_input_reader { input_path: "b.tfrecord" } }
)";
}

/// `text` with its first `before` made `after`; throws where there is none.
inline std::string replaced(std::string text, const std::string& before, const std::string& after) {
    return text.replace(text.find(before), before.size(), after);
}

} // namespace trainyard::testing
