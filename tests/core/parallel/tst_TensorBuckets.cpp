#include "core/parallel/TensorBuckets.h"

#include "tests/support/TestData.h"

#include <ATen/ATen.h>

using namespace trainyard;

class tst_TensorBuckets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cutsBySizeAndType() {
        const std::vector<at::Tensor> tensors = {
            at::zeros({1 << 20}),      // 4 MB
            at::zeros({2 << 20}),      // 8 MB, together 12
            at::zeros({2 << 20}),      // 8 MB: would be 20
            at::zeros({3}, at::kLong), // another type
            at::zeros({5 << 20}),      // 20 MB: its own
            at::zeros({1}),
        };
        std::vector<std::vector<std::size_t>> members;
        for (const TensorBucket& bucket : cutIntoBuckets(tensors))
            members.push_back(bucket.members);
        QCOMPARE(members, (std::vector<std::vector<std::size_t>>{{0, 1}, {2}, {3}, {4}, {5}}));
    }

    void comesBackAsItWas() {
        at::manual_seed(1);
        const auto image = at::randn({2, 3, 4, 5});
        std::vector<at::Tensor> tensors = {image.contiguous(at::MemoryFormat::ChannelsLast), at::randn({7}).view({7}),
                                           at::randn({4, 6}).slice(1, 0, 6, 2), at::scalar_tensor(3.0f)};
        std::vector<at::Tensor> copies;
        for (const at::Tensor& tensor : tensors)
            copies.push_back(tensor.clone());
        const auto buckets = cutIntoBuckets(tensors);
        QCOMPARE(buckets.size(), std::size_t(1));
        QCOMPARE(buckets[0].elements, std::int64_t(120 + 7 + 12 + 1));
        const auto flat = packed(buckets[0], tensors);
        for (at::Tensor& tensor : tensors)
            tensor.zero_();
        unpack(buckets[0], flat, tensors);
        for (std::size_t i = 0; i < tensors.size(); ++i)
            QVERIFY(at::equal(tensors[i], copies[i]));
    }

    // Ranks may hold the same gradient in different memory orders: the message is the same.
    void packsByShapeAlone() {
        const auto image = at::randn({2, 3, 4, 5});
        const std::vector<at::Tensor> rows = {image};
        const std::vector<at::Tensor> last = {image.contiguous(at::MemoryFormat::ChannelsLast)};
        QVERIFY(at::equal(packed(cutIntoBuckets(rows)[0], rows), packed(cutIntoBuckets(last)[0], last)));
    }
};

QTEST_GUILESS_MAIN(tst_TensorBuckets)
#include "tst_TensorBuckets.moc"
