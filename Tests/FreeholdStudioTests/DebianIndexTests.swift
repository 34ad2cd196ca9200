import Foundation
import FreeholdTestProcesses
import Testing

/// Studio on the package index of this Debian, with the classes of the example PackageIndex: a
/// person clicks through every page.
@Suite(
    .serialized,
    .enabled(
        if: WebDriver.isInstalled && DebianIndex.isThere,
        "Needs Debian, and its packages chromium and chromium-driver: apt-get install them."))
struct DebianIndexTests {
    @Test func everyPageByClicking() throws {
        let studio = try StudioProcess(isWritable: true) { file, keyFile in
            let dump = file.appendingPathExtension("jsonl")
            try DebianIndex().dump().write(to: dump)
            defer { try? FileManager.default.removeItem(at: dump) }
            let key = keyFile.map { ["--key-file", $0.path] } ?? []
            let load = try StudioProcess.start("freehold", ["load", dump.path, file.path] + key)
            load.waitUntilExit()
            #expect(load.terminationStatus == 0)
        }
        let browser = try WebDriver(width: 1400, height: 860)
        defer { browser.end() }
        try browser.go(studio.address)
        try browser.wait("document.querySelectorAll('.grid-row .cell').length > 20")
        try classes(browser)
        try anObject(browser)
        try aQuery(browser)
        try dialogs(browser)
        try pages(browser)
        #expect(try browser.complaints() == [])
        try studio.end()
    }

    private func title(_ browser: WebDriver, _ text: String) throws {
        try browser.wait("document.querySelector('#main h1')?.textContent === '\(text)'")
    }

    private func classes(_ browser: WebDriver) throws {
        for name in ["Maintainer", "Section", "Package"] {
            try browser.click("#side a[href$='/class/\(name)']")
            try title(browser, name)
            try browser.wait("document.querySelectorAll('.grid-row .cell').length > 8")
        }
    }

    /// A card, a link of it, what links back, and the card's end.
    private func anObject(_ browser: WebDriver) throws {
        try browser.click(".grid-row[aria-rowindex='2'] .cell.key")
        try browser.wait("document.querySelectorAll('#card .values > dd').length > 10")
        try browser.click("#card .values a.link[href*='/class/Section']")
        try title(browser, "Section")
        try browser.wait("document.querySelector('#card .backlinks a')")
        try browser.click("#card .backlinks a")
        try title(browser, "Package")
        try browser.wait("document.querySelector('#card h2')?.textContent.startsWith('Package')")
        try browser.click("#card [aria-label^='Close']")
        try browser.wait("document.querySelector('#card').hidden")
    }

    private func aQuery(_ browser: WebDriver) throws {
        try browser.click("#query")
        try browser.type("priority == \"required\" SORT(installedSize DESC)")
        try browser.press([WebDriver.Key.escape, WebDriver.Key.enter])
        try browser.wait("/^\\d+ of /.test(document.querySelector('.info').textContent)")
        try browser.click(".toolbar button[aria-pressed]")
        try browser.wait("document.querySelectorAll('.step-box').length > 1")
        try browser.click(".toolbar button[aria-pressed]")
        // By the header of a column.
        try browser.click("[role=columnheader] button.sort")
        try browser.wait("document.querySelector('[aria-sort=ascending]')")
    }

    private func dialogs(_ browser: WebDriver) throws {
        for (button, text) in [
            (".toolbar button:nth-of-type(2)", "Columns"),
            (".toolbar button:nth-of-type(4)", "Export"),
        ] {
            try browser.click(button)
            try browser.wait("document.querySelector('dialog h2')?.textContent === '\(text)'")
            try browser.press([WebDriver.Key.escape])
            try browser.wait("!document.querySelector('dialog')")
        }
        try browser.click("#bar button[aria-label=Keys]")
        try browser.wait("document.querySelector('dialog .keys')")
        try browser.click("dialog button")
        try browser.click("#bar .search")
        try browser.type("bash")
        try browser.wait(
            """
            [...document.querySelectorAll('.palette li')]
              .some((item) => item.textContent.includes('Package'))
            """)
        try browser.press([WebDriver.Key.escape])
        try browser.click("#theme")
        try browser.wait("document.documentElement.dataset.theme === 'dark'")
    }

    private func pages(_ browser: WebDriver) throws {
        for (page, name, condition) in [
            ("schema", "Schema", "document.querySelectorAll('.class-box').length === 3"),
            ("stream", "Changes", "document.querySelector('.stream')"),
            ("versions", "Versions", "document.querySelectorAll('tbody tr').length > 0"),
            ("space", "Space", "document.querySelectorAll('.box').length > 5"),
            ("check", "Check", "document.querySelector('.tile .primary')"),
        ] {
            try browser.click("#side a.to-page[href$='/\(page)']")
            try title(browser, name)
            try browser.wait(condition)
        }
        try browser.click(".tile .primary")
        try browser.wait("document.querySelector('.result .good')")
        try browser.press(["s"], holding: WebDriver.Key.control)
        try browser.wait("document.querySelector('.blank')")
    }
}
