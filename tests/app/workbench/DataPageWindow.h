#pragma once

#include "app/workbench/MainWindow.h"
#include "app/workbench/configure/ConfigurePage.h"
#include "app/workbench/data/DataPage.h"
#include "tests/app/workbench/FakeEngine.h"

#include <QtTest>
#include <memory>
#include <string>

namespace trainyard::testing {

/// A window whose engine opens the data that a test has in mind, and its page Data.
class DataPageWindow {
protected:
    void makeWindow(FakeEngine::OpenData open) {
        m_window = std::make_unique<MainWindow>();
        auto engine = std::make_shared<FakeEngine>();
        engine->opens(std::move(open));
        m_window->engine().setEngine(engine);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    DataPage* page() const { return m_window->dataPage(); }
    void open(const QString& config) {
        m_window->configurePage()->document()->begin(config);
        m_window->showPage(MainWindow::Data);
        QTRY_COMPARE(page()->source()->state(), DataSource::State::Open);
        QVERIFY(page()->model()->rowCount() > 0);
    }
    int rowOfProblem(const std::string& sample) const {
        const auto& problems = page()->source()->problems();
        for (std::size_t row = 0; row < problems.size(); ++row)
            if (problems[row].problem.sample == sample)
                return int(row);
        return -1;
    }

    std::unique_ptr<MainWindow> m_window;
};

} // namespace trainyard::testing
