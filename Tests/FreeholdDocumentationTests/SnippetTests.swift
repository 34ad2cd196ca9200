import Foundation
import Testing
import FreeholdRealmTestSupport

/// The Swift code in the documents compiles.
///
/// A block that begins with ```` ```swift ```` is the body of a function, in a file of its own
/// that imports Freehold, Foundation and Observation. What is not to be compiled is marked ````
/// ```text ````. Imports at the head of a block stand at the head of its file. A document may
/// have declarations that all of its blocks see and no reader does, in a comment that begins
/// with `<!-- snippet context`.
///
/// One run of the compiler checks them all, without making code, against the modules of the
/// running test build.
@Suite struct SnippetTests {
    /// Documents whose code other tests compile (`CompilerMessageTests`, `Examples/smoke`), or
    /// that show what does not compile by itself.
    static let others: Set = [
        "README.md", "Docs/Testing.md", "Docs/Decisions/0020-realms-of-tasks.md",
        "Sources/Freehold/Freehold.docc/CompilerMessages.md",
        "Sources/Freehold/Freehold.docc/GettingStarted.md",
    ]

    /// The documents with Swift code, by their paths in the package.
    static func documents() throws -> [String] {
        let root = SwiftCompiler.packageRoot
        let folders = ["Docs", "Sources", "Examples"].compactMap {
            FileManager.default.enumerator(
                at: root.appendingPathComponent($0), includingPropertiesForKeys: nil)
        }
        let files =
            folders.flatMap { $0.compactMap { $0 as? URL } } + [
                root.appendingPathComponent("README.md")
            ]
        return try files.filter {
            $0.pathExtension == "md" && !$0.path.contains("/.build/")
        }.filter { file in
            try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").contains(
                "```swift")
        }.map { String($0.path.dropFirst(root.path.count + 1)) }.sorted()
    }

    @Test func documentsThatAreLeftOutHaveCode() throws {
        #expect(try SnippetTests.others.isSubset(of: SnippetTests.documents()))
    }

    @Test func theCodeInTheDocumentsCompiles() throws {
        let compiler = try #require(
            SwiftCompiler(), "There is no swiftc on the PATH or in /opt/swift/usr/bin.")
        try withTemporaryDirectory { directory in
            var files: [URL] = []
            for document in try SnippetTests.documents()
            where !SnippetTests.others.contains(document) {
                for snippet in try Snippet.all(in: document) {
                    let file = directory.file("snippet\(files.count).swift")
                    try snippet.source(functionName: "snippet\(files.count)").write(
                        to: file, atomically: false, encoding: .utf8)
                    files.append(file)
                }
            }
            #expect(files.count > 60)
            let (status, output) = try compiler.check(files)
            #expect(status == 0, "\(output)")
        }
    }

    /// Guards the test above: code that does not compile is found, at its line of the document.
    @Test func wrongCodeIsFound() throws {
        let compiler = try #require(
            SwiftCompiler(), "There is no swiftc on the PATH or in /opt/swift/usr/bin.")
        let text = "# Title\n\n```swift\nlet realm = try Realm()\nrealm.nothing()\n```\n"
        let snippet = try #require(Snippet.all(in: "Wrong.md", text: text).first)
        try withTemporaryDirectory { directory in
            let file = directory.file("wrong.swift")
            try snippet.source(functionName: "wrong").write(
                to: file, atomically: false, encoding: .utf8)
            let (status, output) = try compiler.check([file])
            #expect(status != 0)
            #expect(
                output.contains("Wrong.md:5:") && output.contains("has no member 'nothing'"),
                "\(output)")
        }
    }

    @Test func blocksAreFoundWithTheirLinesAndContext() {
        let text =
            """
            a\n<!-- snippet context, unseen\nlet x = 1\n-->\n```swift\nlet y = \
            x\n```\n```text\nnot code\n```\n```swift\nlet z = x\n```\n
            """
        let snippets = Snippet.all(in: "Some.md", text: text)
        #expect(snippets.map(\.line) == [6, 12])
        #expect(snippets.map(\.code) == ["let y = x\n", "let z = x\n"])
        #expect(snippets.allSatisfy { $0.context == "let x = 1\n" })
    }
}

/// A block of Swift code in a document.
private struct Snippet {
    let document: String
    /// The line of the document that the code begins on, from 1.
    let line: Int
    let code: String
    /// What the document declares for all of its blocks.
    let context: String

    static func all(in document: String) throws -> [Snippet] {
        all(
            in: document,
            text: try String(
                contentsOf: SwiftCompiler.packageRoot.appendingPathComponent(document),
                encoding: .utf8))
    }

    static func all(in document: String, text: String) -> [Snippet] {
        enum Place { case prose, code(line: Int), context, other }
        var place = Place.prose
        var blocks: [(line: Int, code: String)] = []
        var gathered = ""
        var context = ""
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            switch place {
            case .prose:
                gathered = ""
                if line == "```swift" {
                    place = .code(line: index + 2)
                } else if line.hasPrefix("```") {
                    place = .other
                } else if line.hasPrefix("<!-- snippet context") {
                    place = .context
                }
            case .code(let start):
                if line == "```" {
                    blocks.append((start, gathered))
                    place = .prose
                } else {
                    gathered += line + "\n"
                }
            case .context:
                if line == "-->" {
                    context += gathered
                    place = .prose
                } else {
                    gathered += line + "\n"
                }
            case .other:
                if line == "```" { place = .prose }
            }
        }
        return blocks.map {
            Snippet(document: document, line: $0.line, code: $0.code, context: context)
        }
    }

    /// A file whose errors the compiler reports at their lines of the document. The code has a
    /// scope of its own, in which it may declare again what the context declares.
    func source(functionName: String) -> String {
        // Code that awaits stands for code of the main actor; other code for synchronous code,
        // where realms are opened synchronously.
        let (attribute, effect) = code.contains("await ") ? ("@MainActor ", " async") : ("", "")
        let lines = code.components(separatedBy: "\n")
        let imports = lines.filter { $0.hasPrefix("import ") }.joined(separator: "\n")
        let body = lines.map { $0.hasPrefix("import ") ? "" : $0 }.joined(separator: "\n")
        return """
            \(imports)
            import Freehold
            import FreeholdPostgres
            import FreeholdService
            import FreeholdSharing
            import Foundation
            import Logging
            import Observation
            import ServiceLifecycle
            \(attribute)private func \(functionName)()\(effect) throws {
            \(context)
            do {
            #sourceLocation(file: "\(document)", line: \(line))
            \(body)
            #sourceLocation()
            }
            }

            """
    }
}
