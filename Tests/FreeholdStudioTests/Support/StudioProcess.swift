import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// A running `freehold studio`, and the file that it shows.
final class StudioProcess {
    /// The executables lie beside the tests.
    static let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent()

    let address: String
    let port: UInt16
    let process: ChildProcess
    let file: URL
    /// The key of the file, and the file that it stands in.
    let key: Data?
    let keyFile: URL?
    private let directory: TemporaryDirectory
    private let output: Pipe
    private(set) var cookie = ""

    var host: String { "127.0.0.1:\(port)" }
    var isRunning: Bool { process.isRunning }
    var token: String { address.components(separatedBy: "token=").last ?? "" }

    /// Makes a file with a number of events, and starts Studio on it.
    convenience init(isWritable: Bool = false, events: Int = 1000, key: Data? = nil) throws {
        try self.init(isWritable: isWritable, key: key) { file, keyFile in
            let sample = [file.path, "create", "\(events)"] + (keyFile.map { [$0.path] } ?? [])
            let made = try Self.start("StudioSample", sample)
            made.waitUntilExit()
            #expect(made.terminationStatus == 0)
        }
    }

    /// Starts Studio on a file.
    ///
    /// - Parameter make: Makes the file, with the key that a second file has.
    init(
        isWritable: Bool = false, key: Data? = nil,
        make: (_ file: URL, _ keyFile: URL?) throws -> Void
    ) throws {
        directory = try TemporaryDirectory()
        file = directory.file()
        self.key = EncryptedSuite.isOn ? Data(EncryptedSuite.key) : key
        var arguments = ["studio", "--no-open", file.path]
        var keyFile: URL?
        if let key = self.key {
            let place = directory.file("key")
            try key.write(to: place)
            arguments += ["--key-file", place.path]
            keyFile = place
        }
        self.keyFile = keyFile
        if isWritable { arguments.append("--write") }
        try make(file, keyFile)
        output = Pipe()
        process = try Self.start("freehold", arguments, output: output)
        let line = Self.line(of: output.fileHandleForReading)
        let found = try #require(line.firstRange(of: "http://"), "Studio printed: \(line)")
        address = String(line[found.lowerBound...])
        port = try #require(URL(string: address)?.port.flatMap { UInt16(exactly: $0) })
        let entrance = try get("/?token=\(token)", isAdmitted: false)
        #expect(entrance.status == 303)
        cookie = String((entrance.headers["set-cookie"] ?? "").prefix { $0 != ";" })
    }

    static func start(
        _ name: String, _ arguments: [String], input: Pipe? = nil, output: Pipe? = nil
    ) throws -> ChildProcess {
        let process = ChildProcess(products.appendingPathComponent(name), arguments)
        process.standardInput = input.map { .pipe($0) } ?? .null
        process.standardOutput = output.map { .pipe($0) } ?? .null
        try process.run()
        return process
    }

    /// A line that a process prints.
    static func line(of handle: FileHandle) -> String {
        var line = Data()
        while let byte = try? handle.read(upToCount: 1), let first = byte.first, first != 0x0A {
            line.append(first)
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Starts another process that commits once for each line of its input.
    func startCommitting(input: Pipe, output: Pipe? = nil) throws -> ChildProcess {
        try Self.start(
            "StudioSample", [file.path, "commit"] + (keyFile.map { [$0.path] } ?? []),
            input: input, output: output)
    }

    /// Ends Studio, and verifies the file.
    func end() throws {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        #expect(process.hasReturned, "Studio crashed.")
        var configuration = Realm.Configuration(fileURL: file, encryptionKey: key)
        configuration.readOnly = true
        let problems = try Realm.withStoredClasses(configuration).check()
        #expect(problems.isEmpty)
        directory.delete()
    }

    // MARK: Requests

    func get(_ target: String, isAdmitted: Bool = true, _ headers: [String: String] = [:]) throws
        -> RawReply
    {
        var headers = headers
        if isAdmitted { headers["Cookie"] = cookie }
        return try RawReply.of("GET", target, port: port, headers: headers, body: nil)
    }

    /// The answer to a request of the page, as JSON.
    func json(_ target: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> [String: Any]
    {
        let reply = try get("/api/\(target)")
        #expect(reply.status == 200, "\(target): \(reply.text)", sourceLocation: sourceLocation)
        return try reply.json()
    }

    func post(_ path: String, _ body: [String: Any], _ headers: [String: String] = [:]) throws
        -> RawReply
    {
        var all = [
            "Cookie": cookie, "Origin": "http://\(host)", "Content-Type": "application/json",
        ]
        all.merge(headers) { _, given in given }
        return try RawReply.of(
            "POST", "/api/\(path)", port: port, headers: all,
            body: try JSONSerialization.data(withJSONObject: body))
    }
}

extension String {
    /// As a part of an address.
    var escaped: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
