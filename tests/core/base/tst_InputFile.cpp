#include "core/base/InputFile.h"
#include "tests/support/TestData.h"

#include <fstream>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace trainyard;

class tst_InputFile : public QObject {
    Q_OBJECT

    /// A socket in the folder; it lives as long as the folder.
    static void makeSocket(const std::filesystem::path& path) {
        const int handle = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        QVERIFY(path.string().size() < sizeof address.sun_path);
        path.string().copy(address.sun_path, sizeof address.sun_path - 1);
        QCOMPARE(::bind(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        ::close(handle);
    }

private Q_SLOTS:
    /// A pipe that nobody writes to would be waited for without end.
    void refusesWhatIsNoFile() {
        testing::ScratchFolder folder;
        QCOMPARE(::mkfifo((folder / "pipe").c_str(), 0600), 0);
        makeSocket(folder / "socket");
        std::filesystem::create_symlink(folder / "pipe", folder / "link");
        const std::vector<std::pair<std::filesystem::path, std::string>> rows = {
            {folder / "pipe", "This is a pipe, not a file."},     {folder / "link", "This is a pipe, not a file."},
            {folder / "socket", "This is a socket, not a file."}, {folder.path(), "This is a folder, not a file."},
            {"/dev/zero", "This is a device, not a file."},       {"/dev/null", "This is a device, not a file."},
            {folder / "nowhere", "The file does not exist."}};
        for (const auto& [path, sentence] : rows) {
            const auto text = readFile(path, ErrorKind::Usage);
            QVERIFY2(!text, path.c_str());
            QCOMPARE(text.error().sentence(), path.string() + ": " + sentence);
            QCOMPARE(text.error().kind, ErrorKind::Usage);
        }
    }

    void readsParts() {
        testing::ScratchFolder folder;
        std::ofstream(folder / "a") << "0123456789";
        auto opened = InputFile::open(folder / "a");
        VERIFY_RESULT(opened);
        const InputFile file = std::move(*opened);
        QCOMPARE(file.length(), std::uint64_t(10));
        char bytes[4] = {};
        QVERIFY(file.readAt(6, bytes, 4));
        QCOMPARE(std::string(bytes, 4), std::string("6789"));
        QVERIFY(!file.readAt(7, bytes, 4));
        QVERIFY(!file.readAt(UINT64_MAX, bytes, 1));
        QCOMPARE(file.readAll().value(), std::string("0123456789"));
        QCOMPARE(file.readAll(3).value(), std::string("012"));
    }

    void readsFilesThatHaveNoLength() {
        const auto text = readFile("/proc/self/stat"); // its length is given as 0
        VERIFY_RESULT(text);
        QVERIFY(!text->empty());
    }
};

QTEST_GUILESS_MAIN(tst_InputFile)
#include "tst_InputFile.moc"
