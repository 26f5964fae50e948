#include "core/config/imports/AsterMapping.h"

#include <fmt/format.h>

#include <set>
#include <sstream>

namespace trainyard::aster {
namespace {

constexpr const char* kDigits = "0123456789";
constexpr const char* kSmall = "abcdefghijklmnopqrstuvwxyz";
constexpr const char* kCapitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr const char* kMarks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

void mapLoss(Mapping& mapping, const Message& loss) {
    if (loss.has("l2_regression_loss"))
        return mapping.problem(loss, "l2_regression_loss", "Words are learnt by a sequence_cross_entropy_loss.");
    const Message& sequence = loss.message("sequence_cross_entropy_loss");
    mapping.real(sequence, "weight", modelKey("loss_weight"));
    mapping.adapt(sequence, "sequence_normalize", "it has no effect in ASTER, and none here.");
    mapping.unmappedUnless(sequence, "sample_normalize", "true", "Losses are means over samples.");
}

/// What is the same in both directions is taken from the first.
void mapDecoder(Mapping& mapping, const Message& attention) {
    mapCell(mapping, attention.message("rnn_cell"), "decoder_cell", "decoder_units");
    mapRegularizer(mapping, attention.message("rnn_regularizer"));
    mapping.integer(attention, "num_attention_units", modelKey("attention_units"));
    mapping.integer(attention, "max_num_steps", modelKey("max_steps"));
    mapping.integer(attention, "beam_width", modelKey("beam_width"));
    if (ImportTarget::has(modelKey("multi_attention")) || attention.flag("multi_attention"))
        mapping.flag(attention, "multi_attention", modelKey("multi_attention"));
    if (ImportTarget::has(modelKey("sync")) || !attention.flag("sync"))
        mapping.flag(attention, "sync", modelKey("sync"));
    mapLoss(mapping, attention.message("loss"));
    const Message& language = attention.message("lm_rnn_cell");
    const auto cells = language.messages("rnn_cell");
    if (!cells.empty()) {
        const Message& lstm = cells.front()->message("lstm_cell");
        mapping.integer(lstm, "num_units", modelKey("language_units"));
        mapping.unmappedUnless(lstm, "use_peepholes", "false");
        noteCell(mapping, lstm);
        if (cells.size() > 1 || cells.front()->chosen("rnn_cell") == "gru_cell")
            mapping.unmapped(language, "rnn_cell", "A language model here is one LSTM cell.");
    }
    mapping.unmapped(language, "restore_path");
    const Message& labels = attention.message("label_map");
    const std::string alphabet = charactersOf(mapping, labels.message("character_set"));
    mapping.to.set(modelKey("alphabet"), alphabet);
    const bool hasCapitals = alphabet.find_first_of(kCapitals) != std::string::npos;
    mapping.to.set(modelKey("case_sensitive"), hasCapitals && alphabet.find_first_of(kSmall) != std::string::npos);
    mapping.unmappedUnless(labels, "label_offset", "2", "Characters count from 2, behind start and end.");
    mapping.adapt(labels, "unk_label", "words with unknown characters are treated as data.on_unknown_character says.");
}

} // namespace

void mapPredictors(Mapping& mapping, const Message& model) {
    const auto predictors = model.messages("predictor");
    if (predictors.empty() || predictors.size() > 2)
        return mapping.problem(model, "predictor", "A recogniser here has one predictor, or one for each direction.");
    std::set<bool> reversed;
    std::set<std::string> names;
    for (const Message* predictor : predictors) {
        if (predictor->chosen("predictor") != "attention_predictor")
            return mapping.problem(*predictor, "ctc_predictor",
                                   "A predictor here is an attention_predictor; for CTC train "
                                   "the model crnn.");
        reversed.insert(predictor->message("attention_predictor").flag("reverse"));
        if (!names.insert(predictor->text("name")).second || predictor->text("name").find('/') != std::string::npos)
            return mapping.problem(*predictor, "name", "Each predictor must have a name of its own, without \"/\".");
    }
    if (reversed.size() != predictors.size())
        return mapping.problem(model, "predictor", "Two predictors here read in the two directions.");
    mapping.to.set(modelKey("directions"), std::string(predictors.size() == 2 ? "both"
                                                       : *reversed.begin()    ? "backward"
                                                                              : "forward"));
    mapDecoder(mapping, predictors.front()->message("attention_predictor"));
    if (predictors.size() == 2) {
        const Message& second = predictors[1]->message("attention_predictor");
        if (const std::string other = predictors[0]->message("attention_predictor").differenceFrom(second, {"reverse"});
            !other.empty())
            mapping.problem(second, other.c_str(), fmt::format("{} must be the same in both directions.", other));
    }
}

std::string charactersOf(Mapping& mapping, const Message& set) {
    const std::string source = set.chosen("source");
    if (source == "built_in_set") {
        const std::string name = set.text("built_in_set");
        std::string all = kDigits;
        all += kSmall;
        if (name != "LOWERCASE")
            all += kCapitals;
        return name == "ALLCASES_SYMBOLS" ? all + kMarks : all;
    }
    std::string all;
    if (source == "text_string") { // characters stand apart
        std::istringstream stream(set.text("text_string"));
        for (std::string character; stream >> character;)
            all += character;
        return all;
    }
    if (source.empty())
        mapping.problem(set, "built_in_set", "A character set says where its characters come from.");
    else
        mapping.problem(set, "text_file",
                        fmt::format("Its characters are in the file {}; write them into the configuration "
                                    "as text_string, with blanks between.",
                                    set.text("text_file")));
    return all;
}

} // namespace trainyard::aster
