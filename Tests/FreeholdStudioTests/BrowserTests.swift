import Foundation
import FreeholdTestProcesses
import FreeholdTestSupport
import Synchronization
import Testing

/// A person at the page: Chromium clicks and types through all of it.
@Suite(
    .serialized,
    .enabled(
        if: WebDriver.isInstalled,
        "Needs Debian's packages chromium and chromium-driver: apt-get install them."))
struct BrowserTests {
    private typealias Key = WebDriver.Key

    private static let pictures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Docs/Images")

    /// Keeps a picture for the documents, if FREEHOLD_PICTURES is set.
    private func keep(_ browser: WebDriver, _ name: String) throws {
        guard ProcessInfo.processInfo.environment["FREEHOLD_PICTURES"] != nil else { return }
        // Small enough for the repository.
        if name.hasSuffix("narrow") == false { try browser.resize(width: 1160, height: 620) }
        let picture = try browser.screenshot()
        #expect(picture.count < 150_000, "\(name)")
        try picture.write(to: Self.pictures.appendingPathComponent("\(name).png"))
    }

    private func page(_ studio: StudioProcess, _ path: String) -> String {
        "http://\(studio.host)/#/0/\(path)"
    }

    private func open(_ browser: WebDriver, _ studio: StudioProcess) throws {
        try browser.go(studio.address)
        try browser.wait("document.querySelectorAll('.grid-row .cell').length > 20")
        // The address bar and the history have no token.
        #expect(try browser.run("return location.href.includes('token')") as? Bool == false)
    }

    private func expectNoComplaints(_ browser: WebDriver) throws {
        #expect(try browser.complaints() == [])
    }

    @Test func allPages() throws {
        let studio = try StudioProcess(isWritable: true, events: 20_000)
        let browser = try WebDriver(width: 1400, height: 860)
        defer { browser.end() }
        try open(browser, studio)
        for (target, condition) in Self.pages {
            try browser.go(page(studio, target))
            try browser.wait(condition)
            try browser.wait("document.querySelectorAll('.grid-row').length < 300")
        }
        try browser.click(".tile .primary")
        try browser.wait("document.querySelector('.result .good')")
        try expectNoComplaints(browser)
        #expect(
            try browser.run(
                """
                return performance.getEntriesByType('resource')
                  .filter((entry) => !entry.name.startsWith(location.origin)).length
                """) as? Int == 0, "Nothing is fetched from elsewhere.")
        try studio.end()
    }

    static let pages = [
        ("class/Person", "document.querySelector('h1').textContent === 'Person'"),
        ("class/Person?key=4", "document.querySelectorAll('.values > dd').length > 10"),
        ("class/Letter", "document.querySelector('.none')"),
        ("class/Note", "document.querySelectorAll('.grid-row .cell').length > 20"),
        ("schema", "document.querySelectorAll('.class-box').length === 10"),
        ("stream", "document.querySelector('.stream')"),
        ("versions", "document.querySelectorAll('tbody tr').length > 0"),
        ("space", "document.querySelectorAll('.box').length > 5"),
        ("review", "document.querySelector('.blank')"),
        ("check", "document.querySelector('.tile .primary')"),
    ]

    @Test func queriesByKeyboard() throws {
        let studio = try StudioProcess()
        let browser = try WebDriver(width: 1400, height: 860)
        defer { browser.end() }
        try open(browser, studio)
        try browser.press(["k"], holding: Key.control)
        try browser.wait("document.activeElement.closest('.palette')")
        try browser.type("pers")
        try browser.wait("document.querySelector('.palette li').textContent.includes('Person')")
        try browser.press([Key.enter])
        try browser.wait("document.querySelector('h1').textContent === 'Person'")
        try browser.press(["/"])
        try browser.type("country.")
        try browser.wait(
            """
            [...document.querySelectorAll('.completion li')]
              .some((item) => item.textContent.includes('continent'))
            """)
        try browser.type("cont")
        try browser.press([Key.tab])
        try browser.type("== Eu")
        try browser.wait(
            """
            [...document.querySelectorAll('.completion li')]
              .some((item) => item.textContent.includes('Europe'))
            """)
        try browser.press([Key.tab])
        try browser.press([Key.escape, Key.enter])
        try browser.wait("document.querySelector('.info').textContent.startsWith('240 of 600')")
        try browser.press(["p"], holding: Key.alt)
        try browser.wait("document.querySelectorAll('.step-box').length > 1")
        try browser.press(["a", "g", "e"])
        try browser.press([Key.enter])
        try browser.wait("!document.querySelector('.caret').hidden")
        try browser.wait("document.querySelectorAll('.grid-row .cell').length > 20")
        // The mistake is the only complaint: an answer of 422.
        let complaints = try browser.complaints()
        #expect(complaints.allSatisfy { $0.contains("422") }, "\(complaints)")
        try studio.end()
    }

    /// Keys that come before the server's answers act on what was meant, not on an older list.
    @Test func completesBeforeTheAnswer() throws {
        let studio = try StudioProcess()
        let browser = try WebDriver(width: 1400, height: 860)
        defer { browser.end() }
        try open(browser, studio)
        try browser.go(page(studio, "class/Person"))
        try browser.wait(
            """
            document.querySelector('h1').textContent === 'Person'
              && document.activeElement.classList.contains('grid')
            """)
        // The first answer comes last.
        try browser.run(
            """
            const real = window.fetch;
            let delay = 900;
            window.fetch = async (address, options) => {
              if (String(address).includes('/api/values')) {
                delay -= 300;
                await new Promise((resolve) => setTimeout(resolve, delay + 300));
              }
              return real(address, options);
            };
            """)
        try browser.press(["/"])
        try browser.type("country.continent == Eu")
        try browser.press([Key.tab])
        try browser.wait("document.getElementById('query').value.includes('\"Europe\"')")
        try browser.press([Key.escape, Key.enter])
        try browser.wait("document.querySelector('.info').textContent.startsWith('240 of 600')")
        try studio.end()
    }

    @Test func editingByKeyboard() throws {
        let studio = try StudioProcess(isWritable: true)
        let browser = try WebDriver(width: 1400, height: 860)
        defer { browser.end() }
        try open(browser, studio)
        try browser.go(page(studio, "class/Person"))
        try browser.wait(
            """
            document.querySelector('h1').textContent === 'Person'
              && document.activeElement.classList.contains('grid')
              && document.querySelectorAll('.grid-row .k-int').length > 10
            """)
        try browser.press([Key.down, Key.right, "e"])
        try browser.wait("document.activeElement.classList.contains('editor')")
        try browser.type("Eve")
        try browser.press([Key.enter])
        try browser.wait("document.querySelector('.cell.edited')?.textContent === 'Eve'")
        try browser.wait("document.activeElement.classList.contains('grid')")
        try browser.press([Key.right, Key.right, "e"])
        try browser.wait("document.activeElement.classList.contains('editor')")
        try browser.type("old")
        try browser.wait("document.activeElement.getAttribute('aria-invalid') === 'true'")
        try browser.press([Key.escape])
        try browser.press([Key.delete])
        try browser.wait("document.querySelector('dialog')?.textContent.includes('Address')")
        try browser.press([Key.escape])
        try browser.press(["s"], holding: Key.control)
        try browser.wait("document.querySelector('.change')?.textContent.includes('Eve')")
        try browser.click(".buttons .primary")
        try browser.wait(
            """
            document.querySelector('#draftbar').hidden === false
              || document.querySelector('h1').textContent === 'Person'
            """)
        try browser.wait("document.querySelector('h1').textContent === 'Person'")
        try browser.wait(
            """
            [...document.querySelectorAll('.grid-row')]
              .some((row) => row.textContent.includes('Eve'))
            """)
        try expectNoComplaints(browser)
        try studio.end()
    }

    @Test func scrollingAndOthersCommits() throws {
        let studio = try StudioProcess(events: 30_000)
        let browser = try WebDriver(width: 1400, height: 860)
        defer { browser.end() }
        try open(browser, studio)
        let sort = "SORT(number DESC)".escaped
        try browser.go(page(studio, "class/Event?q=\(sort)"))
        try browser.wait("document.querySelector('.info').textContent.startsWith('30,000')")
        let first = """
            [...document.querySelectorAll('.grid-row')]
              .find((row) => row.textContent.includes('19990'))
            """
        // Again and again: the grid may not have its height yet.
        try browser.wait(
            """
            (document.querySelector('.grid').scrollTop = 280000,
              \(first)?.getBoundingClientRect().top > 150)
            """)
        try browser.run("window.before = \(first).getBoundingClientRect().top")
        let input = Pipe()
        let writer = try studio.startCommitting(input: input)
        input.fileHandleForWriting.write(Data("\n\n\n".utf8))
        try input.fileHandleForWriting.close()
        writer.waitUntilExit()
        try browser.wait("document.querySelector('.info').textContent.includes('30,003')")
        try browser.wait("Math.abs(\(first).getBoundingClientRect().top - window.before) < 1.5")
        // The last row of a million is as near as the first.
        try browser.press([Key.end], holding: Key.control)
        try browser.wait("document.querySelector('.grid-row .cell.at')?.textContent !== ''")
        #expect(
            (try browser.run("return document.querySelectorAll('.grid-row').length") as? Int ?? 0)
                < 100)
        try expectNoComplaints(browser)
        try studio.end()
    }

    /// Grid and card follow a process that never pauses.
    @Test func aBusyProcess() throws {
        let studio = try StudioProcess()
        let browser = try WebDriver(width: 1400, height: 860)
        defer { browser.end() }
        try open(browser, studio)
        try browser.go(page(studio, "class/Person?key=4"))
        try browser.wait("document.querySelectorAll('.values > dd').length > 10")
        try browser.run(
            """
            window.age = () => Number(document.querySelectorAll('.values > dd')[3].textContent);
            window.before = window.age();
            window.rows = () => [...document.querySelectorAll('.grid-row')]
              .map((row) => row.textContent).join();
            window.rowsBefore = window.rows();
            """)
        let (input, output) = (Pipe(), Pipe())
        let writer = try studio.startCommitting(input: input, output: output)
        let isOver = Mutex(false)
        let commits = Thread {
            while !isOver.withLock({ $0 }) {
                input.fileHandleForWriting.write(Data("\n".utf8))
                _ = StudioProcess.line(of: output.fileHandleForReading)
            }
            try? input.fileHandleForWriting.close()
        }
        commits.start()
        try browser.wait("window.age() > window.before + 1")
        try browser.wait("window.rows() !== window.rowsBefore")
        isOver.withLock { $0 = true }
        writer.waitUntilExit()
        try expectNoComplaints(browser)
        try studio.end()
    }

    @Test(arguments: [(1400, false), (1400, true), (400, false), (400, true)])
    func nothingIsCutOff(width: Int, isDark: Bool) throws {
        let studio = try StudioProcess(isWritable: true, events: 100_000)
        let browser = try WebDriver(width: width, height: width > 400 ? 860 : 780, isDark: isDark)
        defer { browser.end() }
        try open(browser, studio)
        let suffix = (isDark ? "-dark" : "") + (width > 400 ? "" : "-narrow")
        for (target, condition) in Self.pages {
            try browser.go(page(studio, target))
            try browser.wait(condition)
            #expect(
                try browser.run("return document.documentElement.scrollWidth <= innerWidth")
                    as? Bool == true, "\(target)")
        }
        #expect(
            try browser.run("return document.documentElement.dataset.theme") as? String
                == (isDark ? "dark" : "light"))
        try browser.go(page(studio, "class/Person?key=4"))
        try browser.wait("document.querySelectorAll('.values > dd').length > 10")
        try browser.wait("document.querySelectorAll('.grid-row .k-int').length > 10")
        try keep(browser, "studio\(suffix)")
        if suffix == "" {
            try browser.go(page(studio, "schema"))
            try browser.wait("document.querySelectorAll('.class-box').length === 10")
            try keep(browser, "studio-schema")
            let query = "age > 30 AND name BEGINSWITH \"A\" SORT(age DESC)".escaped
            try browser.go(page(studio, "class/Person?q=\(query)"))
            try browser.wait("document.querySelector('.info').textContent.startsWith('72')")
            try browser.press(["p"], holding: Key.alt)
            try browser.wait("document.querySelectorAll('.step-box').length === 3")
            try keep(browser, "studio-query")
        }
        if suffix == "-dark" {
            try browser.go(page(studio, "space"))
            try browser.wait("document.querySelectorAll('.box').length > 5")
            try keep(browser, "studio-space-dark")
        }
        try studio.end()
    }
}
