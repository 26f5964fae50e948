#include "core/config/ConfigFile.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class tst_Validation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theDefaultIsGood() { QVERIFY(validate(RunConfig()).empty()); }

    void whatDoesNotGoTogetherIsSaid_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence"); // empty where all is well
        const auto row = [](const char* name, const char* text, const char* sentence) {
            QTest::newRow(name) << text << sentence;
        };
        row("steps that fall", "solve: {steps: [20, 10]}", "solve.steps must rise");
        row("steps that repeat", "solve: {steps: [10, 10]}", "solve.steps must rise");
        row("steps that rise", "solve: {steps: [10, 20], policy: steps}", "");
        row("policy without steps", "solve: {policy: steps}", "solve.steps must give at least one iteration");
        row("nesterov alone", "solve: {nesterov: true, momentum: 0}", "solve.nesterov needs a solve.momentum above 0.");
        row("bad expression", "solve: {freeze: ['backbone.*', '(']}",
            "solve.freeze: \"(\" is not a regular expression.");
        row("bad group", "data: {split: {group: '['}}", "data.split.group: \"[\" is not a regular expression.");
        row("sets larger than the batch",
            "data: {batch_size: 8, train: [{path: a, batch_size: 6}, {path: b, batch_size: 3}]}",
            "The sets of data.train take 9 samples of each batch, but data.batch_size is 8.");
        row("nothing left", "data: {batch_size: 8, train: [{path: a, batch_size: 8}, {path: b}]}",
            "leave none for the others");
        row("sets that fit", "data: {batch_size: 8, train: [{path: a, batch_size: 6}, {path: b}]}", "");
        row("set without path", "data: {train: [{format: coco}]}", "data.train.0 needs a path");
        row("rendered words need none", "data: {train: [{format: rendered-words}]}", "");
        row("words for a detector", "model: {type: retinanet}\ndata: {validation: [{format: rendered-words}]}",
            "data.validation.0 renders words, but a retinanet finds objects");
        row("scales", "data: {scale_min: 2, scale_max: 1}", "data.scale_min must not be above data.scale_max.");
        row("two channels", "data: {normalise: {mean: [1, 2]}}",
            "data.normalise.mean must give 3 numbers, one a channel, not 2.");
        row("odd pairs", "data: {keypoint_pairs: [1, 2, 3]}", "data.keypoint_pairs must name keypoints two by two");
        row("a keypoint in two pairs", "data: {keypoint_pairs: [1, 2, 2, 3]}", "none of them twice");
        row("tiles that share too much", "data: {tiles: {size: 512, overlap: 300}}",
            "data.tiles.overlap must not be above half of data.tiles.size (512), not 300.");
        row("no tiles", "data: {tiles: {overlap: 300}}", "");
        row("scale above the longest side", "data: {resize: {scales: [600, 1400]}}",
            "data.resize.max_size must be at least the largest of data.resize.scales (1400), not 1333.");
        row("lengths", "data: {rendered: {min_length: 9, max_length: 3}}",
            "data.rendered.min_length must not be above");
        row("device", "train: {device: gpu}", "train.device must be auto, cpu, cuda or cuda:N, not gpu.");
        row("device number", "train: {device: 'cuda:x'}", "train.device must be");
        row("second GPU", "train: {device: 'cuda:1'}", "");
        row("device of a list", "train: {devices: [cpu, auto]}",
            "Each of train.devices must be cpu, cuda or cuda:N, not auto.");
        row("two replicas on a GPU", "train: {devices: ['cuda:1', 'cuda:1']}", "train.devices has cuda:1 twice");
        row("two kinds", "train: {devices: [cpu, 'cuda:0']}", "train.devices must be all CPU or all GPU.");
        row("batch that cannot be split", "data: {batch_size: 16}\ntrain: {devices: [cpu, cpu, cpu]}",
            "data.batch_size must be a multiple of the 3 train.devices, not 16.");
        row("two CPU replicas", "train: {devices: [cpu, cpu]}", "");
        row("an expected metric", "evaluate: {expected: {bbox/AP: 0.364, segm/AP: 0.33 ± 0.002}}", "");
        row("an expected metric in words", "evaluate: {expected: {bbox/AP: good}}",
            "evaluate.expected must give bbox/AP a number, or one with its deviation (0.364 ± 0.002), not good.");
        row("a deviation below zero", "evaluate: {expected: {bbox/AP: 0.3 +- -1}}",
            "evaluate.expected must give bbox/AP");
        row("no anchors", "model: {retinanet: {anchor_sizes: []}}", "anchor_sizes must give 5 sizes");
        row("no scales", "model: {retinanet: {anchor_scales: []}}", "anchor_scales must give at least one scale.");
        row("no ratios", "model: {retinanet: {aspect_ratios: []}}", "aspect_ratios must give at least one ratio.");
        row("deep network", "model: {retinanet: {depth: 101}}", "");
        row("depth", "model: {retinanet: {depth: 35}}", "depth must be 18, 34, 50, 101 or 152, not 35.");
        row("input", "model: {retinanet: {input_size: 300}}", "input_size must be a multiple of 32, not 300.");
        row("overlaps", "model: {retinanet: {background_iou: 0.6}}",
            "background_iou must not be above foreground_iou.");
        row("region anchors of a pyramid", "model: {rcnn: {rpn: {anchor_sizes: [32, 64]}}}",
            "rpn.anchor_sizes must give 5 sizes, one for each of P2 to P6, not 2.");
        row("region anchors of one level", "model: {rcnn: {pyramid: false, rpn: {anchor_sizes: [32, 64]}}}", "");
        row("no region anchors", "model: {rcnn: {pyramid: false, rpn: {anchor_sizes: []}}}", "at least one size");
        row("no region ratios", "model: {rcnn: {rpn: {aspect_ratios: []}}}", "rpn.aspect_ratios must give");
        row("box weights", "model: {rcnn: {box: {box_weights: [1, 2]}}}", "box_weights must give 4 numbers, not 2.");
        row("region overlaps", "model: {rcnn: {rpn: {background_iou: 0.8}}}", "rpn.background_iou must not be above");
        row("box overlaps", "model: {rcnn: {box: {background_iou: 0.8}}}", "box.background_iou must not be above");
        row("region input", "model: {rcnn: {input_size: 300}}", "input_size must be a multiple of 32, not 300.");
        row("region depth", "model: {rcnn: {depth: 20}}", "model.rcnn.depth must be 18, 34, 50, 101 or 152, not 20.");
        row("groups", "model: {rcnn: {depth: 18, groups: 32}}", "A ResNet-18 has neither groups nor dilation");
        row("ResNeXt", "model: {rcnn: {depth: 50, groups: 32, group_width: 4}}", "");
        row("VGG with a pyramid", "model: {rcnn: {body: vgg16}}", "A vgg16 has no pyramid: set model.rcnn.pyramid");
        row("VGG", "model: {rcnn: {body: vgg16, pyramid: false}}", "");
        row("stage under a pyramid", "model: {rcnn: {box: {head: stage}}}", "uses up the body's last stage");
        row("nothing to share", "model: {rcnn: {pyramid: false, mask: {head: shared_stage}}}", "no stage to share.");
        row("C4", "model: {rcnn: {pyramid: false, box: {head: stage}, mask: {head: shared_stage}}}", "");
        row("height", "model: {crnn: {height: 40}}", "model.crnn.height must be a multiple of 16, not 40.");
        row("channels", "model: {crnn: {channels: 2}}", "model.crnn.channels must be 1 (grey) or 3 (colour), not 2.");
        row("odd control points", "model: {aster: {control_points: 7}}",
            "control_points must be even, half on each edge, not 7.");
        row("blocks", "model: {aster: {residual_units: [3, 4]}}",
            "residual_units must give 5 numbers, one for each block, not 2.");
        row("rows of the straightened word", "model: {aster: {rectified_height: 64}}",
            "model.aster.rectified_height must be 32");
        row("rows of the word", "model: {aster: {rectifier: false}}",
            "model.aster.height must be 32, the height that is read, not 64.");
        row("rows of a flat word", "model: {aster: {rectifier: false, height: 32}}", "");
        row("capitals of aster", "model: {aster: {case_sensitive: false, alphabet: abA}}",
            "model.aster.alphabet has A though");
        row("no alphabet", "model: {crnn: {alphabet: ''}}", "model.crnn.alphabet must name at least one character.");
        row("character twice", "model: {crnn: {alphabet: 'aéé'}}", "model.crnn.alphabet has \"é\" twice.");
        row("character three times", "model: {crnn: {alphabet: aéaa}}", "model.crnn.alphabet has a twice.");
        row("capitals", "model: {crnn: {alphabet: abC}}",
            "model.crnn.alphabet has C though model.crnn.case_sensitive is false");
        row("capitals that count", "model: {crnn: {alphabet: abC, case_sensitive: true}}", "");
    }
    void whatDoesNotGoTogetherIsSaid() {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        const auto parsed = parseConfig(text.toStdString(), "run.yaml");
        if (sentence.isEmpty()) {
            QVERIFY2(parsed.isGood(), parsed.error().sentence().c_str());
            return;
        }
        QCOMPARE(parsed.problems.size(), std::size_t(1));
        const auto said = QString::fromStdString(parsed.problems[0].sentence());
        QVERIFY2(said.contains(sentence), qPrintable(said));
        QVERIFY2(said.startsWith("run.yaml:1:") || said.startsWith("run.yaml:2:"), qPrintable(said));
        const auto alone = validate(parsed.config); // the same without a file
        QCOMPARE(alone.size(), std::size_t(1));
        QVERIFY2(alone[0].sentence() == parsed.problems[0].message, alone[0].sentence().c_str());
    }

    void fieldsOutOfRangeAreSaid() {
        RunConfig config;
        config.solve.baseLr = -1;
        config.solve.optimizer = "magic";
        config.data.train.push_back({"coco", "x", "", "", -5});
        const auto problems = validate(config);
        QCOMPARE(problems.size(), std::size_t(3));
        QCOMPARE(problems[0].key, std::string("data.train"));
        QCOMPARE(problems[1].key, std::string("solve.base_lr"));
        QCOMPARE(problems[2].key, std::string("solve.optimizer"));
    }
};

QTEST_GUILESS_MAIN(tst_Validation)
#include "tst_Validation.moc"
