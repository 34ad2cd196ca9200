import Foundation
import FreeholdRealmTestSupport
import FreeholdTestProcesses
import Testing

/// Headless Chromium, driven over WebDriver. Everything is on the loopback interface.
final class WebDriver {
    static let chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    static let driver = "/usr/bin/chromedriver"
    static var isInstalled: Bool {
        chromium != nil && FileManager.default.isExecutableFile(atPath: driver)
    }

    private let directory: TemporaryDirectory
    private let process: ChildProcess
    private let output = Pipe()
    private let port: UInt16
    private var session = ""

    init(width: Int, height: Int, isDark: Bool = false) throws {
        directory = try TemporaryDirectory()
        process = ChildProcess(URL(fileURLWithPath: Self.driver), ["--port=0"])
        process.currentDirectoryURL = directory.url
        process.standardOutput = .pipe(output)
        process.standardError = .null
        try process.run()
        var found: UInt16?
        while found == nil {
            let line = StudioProcess.line(of: output.fileHandleForReading)
            try #require(!line.isEmpty, "chromedriver ended")
            if let place = line.firstRange(of: "successfully on port ") {
                found = UInt16(line[place.upperBound...].prefix { $0.isNumber })
            }
        }
        port = found ?? 0
        let options: [String: Any] = [
            "binary": Self.chromium ?? "",
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--hide-scrollbars", "--user-data-dir=\(directory.url.path)/profile",
                "--window-size=\(width),\(height)",
            ],
        ]
        let answer = try send(
            "POST", "/session",
            [
                "capabilities": [
                    "alwaysMatch": [
                        "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
                        // Longer than `wait` takes; RawReply gives up then, too.
                        "timeouts": ["script": 60_000],
                    ]
                ]
            ])
        let value = try #require(answer as? [String: Any])
        session = "/session/\(value["sessionId"] as? String ?? "")"
        try resize(width: width, height: height)
        try command(
            "Emulation.setEmulatedMedia",
            [
                "features": [
                    ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"],
                    ["name": "prefers-reduced-motion", "value": "reduce"],
                ]
            ])
    }

    /// Ends the browser and the driver.
    func end() {
        _ = try? send("DELETE", session, nil)
        // The driver does not always end when it is asked to; the browser has ended.
        process.signal(SIGKILL)
        process.waitUntilExit()
        directory.delete()
    }

    // MARK: Requests

    @discardableResult
    private func send(_ method: String, _ path: String, _ body: [String: Any]?) throws -> Any? {
        let content = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        let answer = try RawReply.of(
            method, path, port: port, headers: ["Content-Type": "application/json"],
            body: content, finishesSending: false)
        let data = answer.body
        try #require(!data.isEmpty, "\(method) \(path)")
        let reply = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let value = reply?["value"]
        if let failure = value as? [String: Any], let error = failure["error"] as? String {
            throw WebDriverError(text: "\(error): \(failure["message"] ?? "")")
        }
        return value
    }

    struct WebDriverError: Error { let text: String }

    private func command(_ name: String, _ parameters: [String: Any]) throws {
        try send("POST", session + "/goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    func resize(width: Int, height: Int) throws {
        try command(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    }

    func go(_ address: String) throws { try send("POST", session + "/url", ["url": address]) }

    @discardableResult
    func run(_ script: String) throws -> Any? {
        try send("POST", session + "/execute/sync", ["script": script, "args": [Any]()])
    }

    /// Waits in the page until an expression is true; the page looks with each frame.
    func wait(_ expression: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let script = """
            const done = arguments[0];
            const end = Date.now() + 50000;
            const look = () => {
              let found = false;
              try { found = Boolean(\(expression)); } catch { found = false; }
              if (found) done(true);
              else if (Date.now() > end) done(false);
              else requestAnimationFrame(look);
            };
            look();
            """
        let found = try send(
            "POST", session + "/execute/async", ["script": script, "args": [Any]()])
        #expect(found as? Bool == true, "\(expression)", sourceLocation: sourceLocation)
    }

    func click(_ selector: String) throws {
        let found = try send(
            "POST", session + "/element", ["using": "css selector", "value": selector])
        let element = try #require((found as? [String: String])?.values.first, "\(selector)")
        try send("POST", session + "/element/\(element)/click", [:])
    }

    /// Presses keys one after the other; with `holding`, that key is down meanwhile.
    func press(_ keys: [String], holding: String? = nil) throws {
        var actions: [[String: String]] = []
        if let holding { actions.append(["type": "keyDown", "value": holding]) }
        for key in keys {
            actions.append(["type": "keyDown", "value": key])
            actions.append(["type": "keyUp", "value": key])
        }
        if let holding { actions.append(["type": "keyUp", "value": holding]) }
        try send(
            "POST", session + "/actions",
            ["actions": [["type": "key", "id": "keys", "actions": actions]]])
    }

    func type(_ text: String) throws { try press(text.map(String.init)) }

    func screenshot() throws -> Data {
        let text = try send("GET", session + "/screenshot", nil) as? String
        return try #require(text.flatMap { Data(base64Encoded: $0) })
    }

    /// What the page complained about.
    func complaints() throws -> [String] {
        let entries = try send("POST", session + "/se/log", ["type": "browser"])
        return (entries as? [[String: Any]] ?? []).filter { $0["level"] as? String == "SEVERE" }
            .map { "\($0["message"] ?? "")" }
    }

    enum Key {
        static let enter = "\u{E007}"
        static let escape = "\u{E00C}"
        static let tab = "\u{E004}"
        static let control = "\u{E009}"
        static let alt = "\u{E00A}"
        static let down = "\u{E015}"
        static let right = "\u{E014}"
        static let delete = "\u{E017}"
        static let end = "\u{E010}"
    }
}
