#include "core/base/InputFile.h"
#include "core/config/imports/ConfigImport.h"
#include "core/config/imports/DetectronConfig.h"
#include "tests/support/TestData.h"

#include <algorithm>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// A RetinaNet as small as Detectron takes one, with further lines.
std::string retinaNet(const std::string& more = "", bool sharesTower = false) {
    return "MODEL:\n  TYPE: retinanet\n  CONV_BODY: FPN.add_fpn_ResNet50_conv5_body\n  NUM_CLASSES: 81\n"
           "FPN: {FPN_ON: True, MULTILEVEL_RPN: True, RPN_MAX_LEVEL: 7, RPN_MIN_LEVEL: 3, COARSEST_STRIDE: 128, "
           "EXTRA_CONV_LEVELS: True}\n"
           "RETINANET: {RETINANET_ON: True, SHARE_CLS_BBOX_TOWER: " +
           std::string(sharesTower ? "True" : "False") +
           "}\n"
           "TRAIN: {DATASETS: \"('coco_2014_train',)\"}\n" +
           more;
}

const ImportNote* noteOf(const ImportedConfig& imported, const std::string& key) {
    const auto found = std::find_if(imported.notes.begin(), imported.notes.end(),
                                    [&](const ImportNote& note) { return note.key == key; });
    return found == imported.notes.end() ? nullptr : &*found;
}

} // namespace

class TestDetectronImport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// D71: what Detectron's rules take, and as what.
    void takes_data() {
        QTest::addColumn<QString>("yaml");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value"); // Python's repr
        const auto row = [](const char* name, const char* yaml, const char* key, const char* value) {
            QTest::newRow(name) << yaml << key << value;
        };
        row("the same type", "SOLVER: {BASE_LR: 0.02}", "SOLVER.BASE_LR", "0.02");
        row("a whole number for a real one", "SOLVER: {BASE_LR: 1}", "SOLVER.BASE_LR", "1.0"); // Detectron refuses it
        row("a text that is a tuple", "TRAIN: {DATASETS: \"('a', 'b')\"}", "TRAIN.DATASETS", "('a', 'b')");
        row("a plain tuple", "TRAIN:\n  SCALES: (640, 672)\n", "TRAIN.SCALES", "(640, 672)");
        row("a list for a tuple", "TRAIN: {SCALES: [640, 672]}", "TRAIN.SCALES", "(640, 672)");
        row("a tuple for a list", "SOLVER: {STEPS: \"(0, 10)\"}", "SOLVER.STEPS", "[0, 10]");
        row("anything for a text", "MODEL: {CONV_BODY: 7}", "MODEL.CONV_BODY", "'7'");
        row("nothing for a text", "TRAIN: {WEIGHTS: }", "TRAIN.WEIGHTS", "''");
        row("numbers for an array", "PIXEL_MEANS: [[[1, 2.5, 3]]]", "PIXEL_MEANS", "[[[1, 2.5, 3]]]");
        row("a float without a point", "SOLVER: {WEIGHT_DECAY: 1e-4}", "SOLVER.WEIGHT_DECAY", "1e-04");
        row("yes", "TRAIN: {USE_FLIPPED: no}", "TRAIN.USE_FLIPPED", "False");
        row("a nested section", "TEST: {BBOX_AUG: {H_FLIP: True}}", "TEST.BBOX_AUG.H_FLIP", "True");
    }
    void takes() {
        QFETCH(QString, yaml);
        QFETCH(QString, key);
        QFETCH(QString, value);
        const auto config = detectron::read(yaml.toStdString(), "a.yaml");
        QVERIFY2(config.problems.empty(), config.problems.empty() ? "" : config.problems[0].sentence().c_str());
        QCOMPARE(QString::fromStdString(config.at(key.toStdString()).text()), value);
        QVERIFY(config.isGiven(key.toStdString()));
    }

    /// D71: what they refuse, with both types, both values and the key, and where.
    void refuses_data() {
        QTest::addColumn<QString>("yaml");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const char* yaml, const char* sentence) {
            QTest::newRow(name) << yaml << sentence;
        };
        row("unknown", "MODEL:\n  TIPE: retinanet\n",
            "a.yaml:2:3: There is no key MODEL.TIPE; did you mean MODEL.TYPE?");
        row("renamed", "TRAIN:\n  DATASET: coco\n",
            "a.yaml:2:3: TRAIN.DATASET was renamed to TRAIN.DATASETS. It is a tuple now: ('one', 'two'), where one "
            "text "
            "with colons was.");
        row("renamed without a hint", "MODEL: {PS_GRID_SIZE: 3}",
            "a.yaml:1:9: MODEL.PS_GRID_SIZE was renamed to RFCN.PS_GRID_SIZE.");
        row("text for a float", "SOLVER:\n  BASE_LR: fast\n",
            "a.yaml:2:3: SOLVER.BASE_LR is of the type float (0.001 by default), not str ('fast').");
        row("float for an int", "SOLVER: {MAX_ITER: 1.5}",
            "a.yaml:1:10: SOLVER.MAX_ITER is of the type int (40000 by default), not float (1.5).");
        row("bool for an int", "NUM_GPUS: True",
            "a.yaml:1:1: NUM_GPUS is of the type int (1 by default), not bool (True).");
        row("int for a bool", "MEMONGER: 1",
            "a.yaml:1:1: MEMONGER is of the type bool (True by default), not int (1).");
        row("int for a tuple", "TRAIN: {SCALES: 800}",
            "a.yaml:1:9: TRAIN.SCALES is of the type tuple ((600,) by default), not int (800).");
        row("text for an array", "PIXEL_MEANS: grey",
            "a.yaml:1:1: PIXEL_MEANS is of the type numpy.ndarray ([[[102.9801, 115.9465, 122.7717]]] by default), not "
            "str "
            "('grey').");
        row("a value for a section", "SOLVER: 3", "a.yaml:1:1: SOLVER is a section: its keys stand below it.");
        row("a section for a value", "NUM_GPUS: {A: 1}", "a.yaml:1:1: NUM_GPUS is a value, not a section.");
    }
    void refuses() {
        QFETCH(QString, yaml);
        QFETCH(QString, sentence);
        const auto config = detectron::read(yaml.toStdString(), "a.yaml");
        QCOMPARE(config.problems.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(config.problems[0].sentence()), sentence);
        QVERIFY(!importDetectron(yaml.toStdString(), "a.yaml"));
    }

    void passesOverDeprecatedKeys() {
        for (const char* key : {"FINAL_MSG", "ROOT_GPU_ID", "USE_GPU_NMS"}) {
            const auto config = detectron::read(std::string(key) + ": 1\n", "a.yaml");
            QVERIFY(config.problems.empty());
            QCOMPARE(config.warnings.size(), std::size_t(1));
        }
        const auto imported = importDetectron(retinaNet("TEST: {NUM_TEST_IMAGES: 5}\n"), "a.yaml");
        VERIFY_RESULT(imported);
        const ImportNote* note = noteOf(*imported, "TEST.NUM_TEST_IMAGES");
        QVERIFY(note && note->kind == ImportNote::Kind::Deprecated);
    }

    /// D72: pairs of the command line.
    void takesPairs() {
        const auto config = detectron::read(
            "SOLVER: {BASE_LR: 0.02}", "a.yaml",
            {"SOLVER.BASE_LR", "0.01", "TRAIN.SCALES", "(400, 500)", "OUTPUT_DIR", "out", "ROOT_GPU_ID", "3"});
        QVERIFY(config.problems.empty());
        QCOMPARE(config.real("SOLVER.BASE_LR"), 0.01);
        QCOMPARE(config.numbers("TRAIN.SCALES"), (std::vector<double>{400, 500}));
        QCOMPARE(config.text("OUTPUT_DIR"), std::string("out"));
        QCOMPARE(config.warnings.size(), std::size_t(1)); // the last is deprecated
        QCOMPARE(detectron::read("", "a.yaml", {"SOLVER.BASE_LR"}).problems.back().message,
                 std::string("SOLVER.BASE_LR has no value: pairs are KEY VALUE."));
        QVERIFY(detectron::read("NUM_GPUS: 1", "a.yaml", {"SOLVER.LR", "1"})
                    .problems[0]
                    .message.starts_with("There is no key SOLVER.LR"));
    }

    void keepsTheSchedule() {
        const auto imported = importDetectron(
            retinaNet(
                "SOLVER: {BASE_LR: 0.01, LR_POLICY: steps_with_decay, GAMMA: 0.1, MAX_ITER: 90000, STEPS: [0, 60000, "
                "80000], WEIGHT_DECAY: 0.0001}\nNUM_GPUS: 8\n"),
            "a.yaml");
        VERIFY_RESULT(imported);
        const RunConfig& config = imported->config;
        QCOMPARE(config.solve.iterations, std::int64_t(90000));
        QCOMPARE(config.solve.policy, std::string("steps"));
        QCOMPARE(config.solve.steps, (std::vector<std::int64_t>{60000, 80000}));
        QCOMPARE(config.solve.baseLr, 0.01);
        QCOMPARE(config.solve.weightDecay, 0.0001);
        QCOMPARE(config.solve.momentum, 0.9);
        QCOMPARE(config.solve.biasMultiplier, 2.0);
        QCOMPARE(config.solve.warmUp.iterations, std::int64_t(500));
        QCOMPARE(config.solve.warmUp.startFactor, 1.0 / 3);
        QCOMPARE(config.train.checkpointEvery, std::int64_t(10000)); // 80000 snapshots by 8 GPUs
        QCOMPARE(config.data.batchSize, std::int64_t(16));           // 2 images on each of 8
        QCOMPARE(config.data.workers, std::int64_t(4));              // the seed's capacities
        QCOMPARE(config.data.prefetch, std::int64_t(8));             // 64 minibatches of one GPU
        QCOMPARE(config.seed, std::uint64_t(3));
        QVERIFY(noteOf(*imported, "NUM_GPUS"));
    }

    void keepsEveryPolicy_data() {
        QTest::addColumn<QString>("solver");
        QTest::addColumn<QString>("policy");
        QTest::addColumn<double>("rate");
        QTest::newRow("step") << "LR_POLICY: step, STEP_SIZE: 10, MAX_ITER: 35"
                              << "steps" << 0.001;
        QTest::newRow("one step") << "LR_POLICY: steps_with_decay, STEPS: [0]"
                                  << "constant" << 0.001;
        QTest::newRow("cosine") << "LR_POLICY: cosine_decay"
                                << "cosine" << 0.001;
        QTest::newRow("exponential") << "LR_POLICY: exp_decay"
                                     << "exponential" << 0.001;
        QTest::newRow("one rate") << "LR_POLICY: steps_with_lrs, STEPS: [0], LRS: [0.5]"
                                  << "constant" << 0.5;
    }
    void keepsEveryPolicy() {
        QFETCH(QString, solver);
        QFETCH(QString, policy);
        QFETCH(double, rate);
        const auto imported = importDetectron(retinaNet("SOLVER: {" + solver.toStdString() + "}\n"), "a.yaml");
        VERIFY_RESULT(imported);
        QCOMPARE(imported->config.solve.policy, policy.toStdString());
        QCOMPARE(imported->config.solve.baseLr, rate);
        if (solver.contains("STEP_SIZE"))
            QCOMPARE(imported->config.solve.steps, (std::vector<std::int64_t>{10, 20, 30}));
    }

    void refusesWhatDetectronRefusesLater_data() {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("part");
        QTest::newRow("policy") << "SOLVER: {LR_POLICY: poly}"
                                << "There is no policy \"poly\"";
        QTest::newRow("warm-up") << "SOLVER: {WARM_UP_METHOD: cubic}"
                                 << "There is no warm-up \"cubic\"";
        QTest::newRow("steps") << "SOLVER: {LR_POLICY: steps_with_decay, STEPS: [10]}"
                               << "SOLVER.STEPS must begin with 0";
        QTest::newRow("snapshots") << "NUM_GPUS: 8\nSOLVER: {MAX_ITER: 5}\nTRAIN: {SNAPSHOT_ITERS: 4}"
                                   << "at least 1 iteration";
        QTest::newRow("freezing") << "TRAIN: {FREEZE_AT: 1}"
                                  << "TRAIN.FREEZE_AT must be 0, 2, 3, 4 or 5";
        QTest::newRow("suppression") << "TEST: {SOFT_NMS: {METHOD: cubic}}"
                                     << "There is no suppression";
    }
    void refusesWhatDetectronRefusesLater() {
        QFETCH(QString, more);
        QFETCH(QString, part);
        std::string yaml = retinaNet(more.toStdString() + "\n");
        if (more.contains("TRAIN:")) // a key cannot be given twice in one file
            yaml.erase(yaml.find("TRAIN: {DATASETS"), yaml.find(more.toStdString()) - yaml.find("TRAIN: {DATASETS"));
        const auto imported = importDetectron(yaml, "a.yaml");
        QVERIFY(!imported);
        QCOMPARE(imported.error().kind, ErrorKind::Usage);
        QVERIFY2(QString::fromStdString(imported.error().sentence()).contains(part),
                 imported.error().sentence().c_str());
    }

    void makesARetinaNet() {
        const auto imported = importDetectron(
            retinaNet("TEST: {NMS: 0.5, DETECTIONS_PER_IM: 200}\nOUTPUT_DIR: .\nVIS: True\n"), "a.yaml");
        VERIFY_RESULT(imported);
        const RetinaNetConfig& net = imported->config.model.retinanet;
        QCOMPARE(imported->config.model.type, std::string("retinanet"));
        QCOMPARE(imported->config.model.norm, std::string("affine"));
        QCOMPARE(net.classes, std::int64_t(80)); // 81 less the background
        QCOMPARE(net.depth, std::int64_t(50));
        QCOMPARE(net.frozenStages, std::int64_t(2));
        QCOMPARE(net.anchorSizes, (std::vector<double>{32, 64, 128, 256, 512})); // 4 × 2^3 … 4 × 2^7
        QCOMPARE(net.anchorScales.size(), std::size_t(3));
        QVERIFY(std::abs(net.anchorScales[1] - 1.2599210498948732) < 1e-15); // the cube root of 2
        QCOMPARE(net.aspectRatios, (std::vector<double>{0.5, 1, 2}));
        QCOMPARE(net.nmsIou, 0.5);
        QCOMPARE(net.maxDetections, std::int64_t(200));
        QCOMPARE(imported->config.data.train[0].path, std::string("coco/annotations/instances_train2014.json"));
        const ImportNote* unlike = noteOf(*imported, "VIS"); // nothing is dropped in silence
        QVERIFY(unlike && unlike->kind == ImportNote::Kind::NoCounterpart);
        QCOMPARE(unlike->sentence(), std::string("VIS: True has no counterpart."));
        QVERIFY(noteOf(*imported, "OUTPUT_DIR"));
    }

    /// D56: a minibatch of a GPU has more than 20 visible keypoints. NMS_OKS goes by its own threshold.
    void keypointsKeepTheirBatches() {
        const std::string yaml = "MODEL: {TYPE: generalized_rcnn, CONV_BODY: FPN.add_fpn_ResNet50_conv5_body, "
                                 "NUM_CLASSES: 2, FASTER_RCNN: True, KEYPOINTS_ON: True}\n"
                                 "FPN: {FPN_ON: True, MULTILEVEL_RPN: True, MULTILEVEL_ROIS: True}\n"
                                 "FAST_RCNN: {ROI_BOX_HEAD: fast_rcnn_heads.add_roi_2mlp_head, "
                                 "ROI_XFORM_METHOD: RoIAlign}\n"
                                 "KRCNN: {ROI_KEYPOINTS_HEAD: keypoint_rcnn_heads.add_roi_pose_head_v1convX, "
                                 "NUM_KEYPOINTS: 17, ROI_XFORM_RESOLUTION: 14, HEATMAP_SIZE: 56, UP_SCALE: 2, "
                                 "USE_DECONV_OUTPUT: True, NMS_OKS: True}\n"
                                 "TRAIN: {DATASETS: \"('keypoints_coco_2014_train',)\"}\nNUM_GPUS: 2\n";
        const auto imported = importDetectron(yaml, "a.yaml");
        VERIFY_RESULT(imported);
        QCOMPARE(imported->config.data.minKeypoints, std::int64_t(1));
        QCOMPARE(imported->config.data.minBatchKeypoints, std::int64_t(42));
        QCOMPARE(imported->config.model.rcnn.keypoint.oksSuppression, 0.3);
    }

    /// D58: old names mean what the other keys say, and are noted; a builder of old that is none is refused by name.
    void oldTypesAreNoted_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("isOld");
        for (const char* type :
             {"fast_rcnn", "mask_rcnn", "keypoint_rcnn", "mask_and_keypoint_rcnn", "rpn", "fpn_rpn", "faster_rcnn"})
            QTest::newRow(type) << type << true;
        QTest::newRow("generalized_rcnn") << "generalized_rcnn" << false;
    }
    void oldTypesAreNoted() {
        QFETCH(QString, type);
        QFETCH(bool, isOld);
        const auto yaml = [](const std::string& name) {
            return "MODEL: {TYPE: " + name +
                   ", CONV_BODY: FPN.add_fpn_ResNet50_conv5_body, NUM_CLASSES: 81, FASTER_RCNN: True}\n"
                   "FPN: {FPN_ON: True, MULTILEVEL_RPN: True, MULTILEVEL_ROIS: True}\n"
                   "FAST_RCNN: {ROI_BOX_HEAD: fast_rcnn_heads.add_roi_2mlp_head, ROI_XFORM_METHOD: RoIAlign}\n"
                   "TRAIN: {DATASETS: \"('coco_2014_train',)\"}\n";
        };
        const auto imported = importDetectron(yaml(type.toStdString()), "a.yaml");
        VERIFY_RESULT(imported);
        QCOMPARE(imported->config.model.type, std::string("faster_rcnn"));
        const ImportNote* note = noteOf(*imported, "MODEL.TYPE");
        QCOMPARE(note && note->sentence().find("is called generalized_rcnn now") != std::string::npos, isOld);
        const auto refused = importDetectron(yaml("VGG16_faster_rcnn"), "a.yaml");
        QVERIFY(!refused && refused.error().what.find("\"VGG16_faster_rcnn\"") != std::string::npos);
    }

    void retinaNetsMayShareTheirConvolutions() {
        for (const bool isShared : {false, true}) {
            const auto imported = importDetectron(retinaNet("", isShared), "a.yaml");
            VERIFY_RESULT(imported);
            QCOMPARE(imported->config.model.retinanet.sharedConvolutions, isShared);
        }
    }

    /// Published configurations, whole: each becomes a valid one of ours or says which model there is not.
    void importsPublishedConfigurations_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("type");
        QTest::newRow("RetinaNet 50") << "12_2017_baselines/retinanet_R-50-FPN_1x.yaml"
                                      << "retinanet";
        QTest::newRow("RetinaNet 101") << "12_2017_baselines/retinanet_R-101-FPN_2x.yaml"
                                       << "retinanet";
        QTest::newRow("Faster") << "12_2017_baselines/e2e_faster_rcnn_R-50-FPN_1x.yaml"
                                << "faster_rcnn";
        QTest::newRow("Mask") << "12_2017_baselines/e2e_mask_rcnn_R-50-FPN_1x.yaml"
                              << "mask_rcnn";
        QTest::newRow("keypoints") << "12_2017_baselines/e2e_keypoint_rcnn_R-50-FPN_1x.yaml"
                                   << "keypoint_rcnn";
        QTest::newRow("group norm") << "04_2018_gn_baselines/mask_rcnn_R-50-FPN_1x_gn.yaml"
                                    << "mask_rcnn";
        QTest::newRow("tutorial") << "getting_started/tutorial_1gpu_e2e_faster_rcnn_R-50-FPN.yaml"
                                  << "faster_rcnn";
        QTest::newRow("tutorial 8") << "getting_started/tutorial_8gpu_e2e_faster_rcnn_R-50-FPN.yaml"
                                    << "faster_rcnn";
    }
    void importsPublishedConfigurations() {
        QFETCH(QString, file);
        QFETCH(QString, type);
        NEED_SHARED_DATA(configs, "configs");
        const auto text = readFile(configs / "detectron" / file.toStdString());
        VERIFY_RESULT(text);
        const auto imported = importDetectron(*text, file.toStdString());
        const auto& types = modelTypes();
        const bool isThere = std::any_of(types.begin(), types.end(),
                                         [&](const ModelType& known) { return known.name == type.toStdString(); });
        if (!isThere) {
            QVERIFY(!imported);
            return;
        }
        VERIFY_RESULT(imported);
        QCOMPARE(imported->config.model.type, type.toStdString());
        const ParsedConfig again = parseConfig(imported->yaml(file.toStdString()), "imported.yaml");
        QVERIFY2(again.isGood(), again.isGood() ? "" : again.error().sentence().c_str());
        QVERIFY(again.config == imported->config);
        const auto source = detectron::read(*text, "a.yaml");
        for (const ImportNote& note : imported->notes)
            QVERIFY2(!note.sentence().empty(), note.key.c_str());
    }
};

QTEST_GUILESS_MAIN(TestDetectronImport)
#include "tst_DetectronImport.moc"
