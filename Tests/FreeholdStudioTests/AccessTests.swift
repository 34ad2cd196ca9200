import Foundation
import Testing

/// Studio for people who do not see it, or use no mouse.
@Suite(
    .serialized,
    .enabled(
        if: WebDriver.isInstalled,
        "Needs Debian's packages chromium and chromium-driver: apt-get install them."))
struct AccessTests {
    private typealias Key = WebDriver.Key

    private func expectAccess(
        _ browser: WebDriver, _ place: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try browser.run(AccessRules.script) as? [String]
        #expect(found == [], "\(place)", sourceLocation: sourceLocation)
    }

    private func page(_ studio: StudioProcess, _ path: String) -> String {
        "http://\(studio.host)/#/0/\(path)"
    }

    private func open(_ browser: WebDriver, _ studio: StudioProcess) throws {
        try browser.go(studio.address)
        try browser.wait("document.querySelectorAll('.grid-row .cell').length > 20")
    }

    @Test(arguments: [(1400, false), (1400, true), (400, false), (400, true)])
    func rulesOfEveryPage(width: Int, isDark: Bool) throws {
        let studio = try StudioProcess(isWritable: true)
        let browser = try WebDriver(width: width, height: 860, isDark: isDark)
        defer { browser.end() }
        try open(browser, studio)
        for (target, condition) in BrowserTests.pages {
            try browser.go(page(studio, target))
            try browser.wait(condition)
            try expectAccess(browser, target)
        }
        try studio.end()
    }

    @Test(arguments: [false, true]) func rulesOfWhatOpens(isDark: Bool) throws {
        let studio = try StudioProcess(isWritable: true)
        let browser = try WebDriver(width: 1400, height: 860, isDark: isDark)
        defer { browser.end() }
        try open(browser, studio)
        try browser.go(page(studio, "class/Person"))
        try browser.wait("document.querySelectorAll('.grid-row .k-int').length > 10")
        // Completion, and a mistake under its caret.
        try browser.press(["/"])
        try browser.type("country.")
        try browser.wait("document.querySelectorAll('.completion li').length > 0")
        try expectAccess(browser, "completion")
        try browser.press([Key.escape, Key.enter])
        try browser.wait("!document.querySelector('.caret').hidden")
        try expectAccess(browser, "mistake")
        try browser.press([Key.down], holding: Key.alt)
        try expectAccess(browser, "recent queries")
        try browser.press([Key.escape])
        try browser.press(["p"], holding: Key.alt)
        try browser.wait("document.querySelectorAll('.step-box, .plan p').length > 0")
        try expectAccess(browser, "plan")
        // The palette, also with nothing found.
        try browser.press(["k"], holding: Key.control)
        try browser.wait("document.activeElement.closest('.palette')")
        try expectAccess(browser, "palette")
        try browser.type("zzzzzz")
        try browser.wait("document.querySelector('.palette').textContent.includes('Nothing')")
        try expectAccess(browser, "empty palette")
        try browser.press([Key.escape])
        try browser.click("#bar button[aria-label=Keys]")
        try browser.wait("document.querySelector('dialog .keys')")
        try expectAccess(browser, "keys")
        try browser.press([Key.escape])
        for button in [2, 4] {
            try browser.click(".toolbar button:nth-of-type(\(button))")
            try browser.wait("document.querySelector('dialog h2')")
            try expectAccess(browser, "dialog \(button)")
            try browser.press([Key.escape])
        }
        try editing(browser, studio)
        try studio.end()
    }

    /// An editor in a cell, the link picker, a question, the review.
    private func editing(_ browser: WebDriver, _ studio: StudioProcess) throws {
        try browser.go(page(studio, "class/Person?key=4"))
        try browser.wait("document.querySelectorAll('.values > dd').length > 10")
        for property in ["name", "country", "extra", "tags"] {
            try browser.run(
                "document.querySelector('#card [aria-label=\"Edit \(property)\"]').click()")
            try browser.wait(
                "document.querySelector('dialog, .editor')", sourceLocation: #_sourceLocation)
            try expectAccess(browser, "editor of \(property)")
            try browser.press([Key.escape])
            try browser.wait("!document.querySelector('dialog')")
        }
        let edited = try studio.post(
            "draft/set",
            ["file": 0, "class": "Person", "key": "4", "property": "name", "value": "Eve"])
        #expect(edited.status == 200)
        try browser.wait("!document.querySelector('#draftbar').hidden")
        try expectAccess(browser, "draft")
        try browser.go(page(studio, "review"))
        try browser.wait("document.querySelector('.change')")
        try expectAccess(browser, "review")
        try browser.go(page(studio, "class/Person?key=4"))
        try browser.wait("document.querySelectorAll('.values > dd').length > 10")
        try browser.click("#card .danger")
        try browser.wait("document.querySelector('dialog')")
        try expectAccess(browser, "deletion")
        try browser.press([Key.escape])
    }

    /// The tab key comes by everything, and each place shows that it has the focus.
    @Test(arguments: ["class/Person?key=4", "check", "schema"])
    func theTabKeyReachesEverything(target: String) throws {
        let studio = try StudioProcess(isWritable: true)
        let browser = try WebDriver(width: 1400, height: 860)
        defer { browser.end() }
        try open(browser, studio)
        try browser.go(page(studio, target))
        try browser.wait("document.querySelector('#main h1')")
        if target.contains("key") {
            try browser.wait("document.querySelectorAll('.values > dd').length > 10")
        }
        try browser.run(
            """
            document.activeElement.blur();
            document.body.tabIndex = -1;
            document.body.focus();
            window.visited = new Set();
            window.missing = [];
            """)
        var stops = 0
        var isOver = false
        while !isOver, stops < 200 {
            try browser.press([Key.tab])
            stops += 1
            isOver =
                try browser.run(
                    """
                    const node = document.activeElement;
                    if (node === document.body || window.visited.has(node)) return true;
                    window.visited.add(node);
                    const isSeen = [node, node.parentElement].some((at) => {
                      const style = getComputedStyle(at);
                      return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
                        || style.boxShadow !== 'none';
                    }) || node.querySelector('.at');
                    if (!isSeen) window.missing.push(node.outerHTML.slice(0, 120));
                    return false;
                    """) as? Bool ?? true
        }
        let missing = try browser.run("return window.missing") as? [String]
        #expect(missing == [], "no focus is seen")
        let left =
            try browser.run(
                """
                return [...document.querySelectorAll('button, a[href], input, select, textarea,'
                  + 'summary, [tabindex="0"]')]
                  .filter((node) => node.getClientRects().length > 0 && node.tabIndex >= 0
                    && !node.disabled && !window.visited.has(node))
                  .map((node) => node.outerHTML.slice(0, 120))
                """) as? [String]
        #expect(left == [], "not reached in \(stops) stops")
        try studio.end()
    }
}
