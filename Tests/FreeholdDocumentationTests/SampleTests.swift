import Foundation
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// The Swift code in the comments of public symbols compiles.
///
/// A sample that begins with ```` ```swift ```` is the body of a function, in which the values
/// and types of ``context`` are known and may be declared again. `…` in braces, or on a line of
/// its own, stands for code of the reader's. What is not to be compiled is marked ```` ```text
/// ````.
@Suite struct SampleTests {
    @Test func theSamplesInCommentsCompile() async throws {
        let compiler = try #require(
            SwiftCompiler(), "There is no swiftc on the PATH or in /opt/swift/usr/bin.")
        let samples = try Sample.all()
        #expect(samples.count > 70)
        let (status, output) = try await awaitThread {
            try SampleTests.check(samples, compiler)
        }
        #expect(status == 0, "\(output)")
    }

    private static func check(_ samples: [Sample], _ compiler: SwiftCompiler) throws -> (
        status: Int32, output: String
    ) {
        try withTemporaryDirectory { directory in
            let context = directory.file("context.swift")
            try SampleTests.context.write(to: context, atomically: false, encoding: .utf8)
            var files = [context]
            for sample in samples {
                let file = directory.file("sample\(files.count).swift")
                try sample.source(functionName: "sample\(files.count)").write(
                    to: file, atomically: false, encoding: .utf8)
                files.append(file)
            }
            return try compiler.check(files)
        }
    }

    /// Guards the test above: samples are found with their lines, and a wrong one is reported
    /// there.
    @Test func wrongSamplesAreFound() throws {
        let compiler = try #require(
            SwiftCompiler(), "There is no swiftc on the PATH or in /opt/swift/usr/bin.")
        let text = "/// A.\n///\n/// ```swift\n/// realm.nothing { … }\n/// ```\nfunc a() {}\n"
        let sample = try #require(Sample.all(in: "Sources/Freehold/Wrong.swift", text: text).first)
        #expect(sample.line == 4 && sample.code == "realm.nothing {}\n")
        try withTemporaryDirectory { directory in
            let files = [directory.file("context.swift"), directory.file("wrong.swift")]
            try SampleTests.context.write(to: files[0], atomically: false, encoding: .utf8)
            try sample.source(functionName: "wrong").write(
                to: files[1], atomically: false, encoding: .utf8)
            let (status, output) = try compiler.check(files)
            #expect(status != 0)
            #expect(
                output.contains("Wrong.swift:4:") && output.contains("has no member 'nothing'"),
                "\(output)")
        }
    }

    /// What samples take for granted.
    static let context = """
        import Dispatch
        import Foundation
        import Freehold

        class Person: Object {
            @Persisted(primaryKey: true) var id = 0
            @Persisted var name = ""
            @Persisted var age = 0
            @Persisted var team = ""
            @Persisted var dog: Dog?
            @Persisted var dogs: List<Dog>
            @Persisted var friends: List<Person>
            @Persisted var scores: Map<String, Int>
            @Persisted var tags: List<String>
        }
        class Dog: Object {
            @Persisted var name = ""
            @Persisted var age = 0
            @Persisted var owner: Person?
            @Persisted(originProperty: "dog") var owners: LinkingObjects<Person>
        }
        class Book: Object {
            @Persisted var isbn = ""
            @Persisted var title = ""
            @Persisted var year = 0
            @Persisted var pages = 0
            @Persisted var shelf = ""
            @Persisted var reader: String?
        }
        class Setting: Object { @Persisted var value: AnyRealmValue }
        class User: Object {}
        class Order: Object { @Persisted var state = "" }
        class Item: Object {
            @Persisted(primaryKey: true) var id: ObjectId
            @Persisted var stock = 0
        }
        struct OutOfStock: Error {}
        class Invoice: Object {}
        class Shipment: Object {}
        class Line: Object {}
        class Customer: Object {}
        final class PersonProjection: Projection<Person> {
            @Projected(\\Person.name) var firstName
            @Projected(\\Person.dog?.name) var dogName
        }
        actor Library: ModelActor { let modelExecutor = ModelExecutor() }
        actor Model { func show<Change>(_ change: Change) {} }
        final class EventLoop: Sendable {
            var inEventLoop: Bool { true }
            func execute(_ work: @escaping @Sendable () -> Void) {}
        }
        struct Log { func error(_ text: String) {} }
        @MainActor final class Label { var text = "" }

        let (isbn, url, file) = ("", URL(fileURLWithPath: ""), URL(fileURLWithPath: ""))
        let (backups, export) = (URL(fileURLWithPath: ""), URL(fileURLWithPath: ""))
        let (log, newKey, queue) = (Log(), Data(), DispatchQueue(label: "samples"))
        func draw(_ lines: [String]) {}
        func send(_ data: Data) async throws {}
        func importEverything() throws {}

        """
}

/// A sample in a comment.
private struct Sample {
    let path: String
    /// The line that the code begins on, from 1.
    let line: Int
    let code: String

    static func all() throws -> [Sample] {
        let sources = SwiftCompiler.packageRoot.appendingPathComponent("Sources")
        let files =
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.compactMap
        { $0 as? URL } ?? []
        return try files.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }.flatMap
        { file in
            let path = String(file.path.dropFirst(SwiftCompiler.packageRoot.path.count + 1))
            return all(in: path, text: try String(contentsOf: file, encoding: .utf8))
        }
    }

    static func all(in path: String, text: String) -> [Sample] {
        var samples: [Sample] = []
        var begun: (line: Int, code: String)?
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let comment = line.trimmingCharacters(in: .whitespaces)
            guard comment.hasPrefix("///") else { continue }
            if comment == "/// ```swift" {
                begun = (index + 2, "")
            } else if comment == "/// ```" {
                begun.map { samples.append(Sample(path: path, line: $0.line, code: $0.code)) }
                begun = nil
            } else {
                let code = String(comment.dropFirst(4))
                begun?.code +=
                    (code.trimmingCharacters(in: .whitespaces) == "…"
                        ? "" : code.replacingOccurrences(of: "{ … }", with: "{}")) + "\n"
            }
        }
        return samples
    }

    /// A file whose errors the compiler reports at their lines of the source. The code has a
    /// scope of its own, in which it may declare everything again.
    func source(functionName: String) -> String {
        let (attribute, effect) = code.contains("await ") ? ("@MainActor ", " async") : ("", "")
        let lines = code.components(separatedBy: "\n")
        let imports = lines.filter { $0.hasPrefix("import ") }.joined(separator: "\n")
        let body = lines.map { $0.hasPrefix("import ") ? "" : $0 }.joined(separator: "\n")
        let module = path.split(separator: "/")[1]
        var parameters = ""
        let extra: String
        switch module {
        case "Freehold": extra = ""
        case "FreeholdOpenCombine": extra = "import FreeholdOpenCombine\nimport OpenCombine"
        case "FreeholdSharing", "FreeholdPostgres", "FreeholdService":
            parameters = ", id: ObjectId, upstream: any Upstream, shared: SharedRealm"
            extra = """
                import FreeholdPostgres
                import FreeholdService
                import FreeholdSharing
                import Logging
                import ServiceLifecycle
                """
        default: extra = "import \(module)"
        }
        return """
            \(imports)
            import Dispatch
            import Foundation
            import Freehold
            import Observation
            \(extra)
            \(attribute)private func \(functionName)(
                realm: Realm, imported: Realm, draft: Draft, dog: Dog, dogs: Results<Dog>,
                person: Person, other: Person, people: ListController<Person>, order: Order,
                setting: Setting, user: User, library: Library, model: Model, label: Label,
                byLetter: SectionedResults<String, Person>, migration: Migration\(parameters)
            )\(effect) throws {
            var (configuration, rows, count) = (Realm.Configuration(), [String](), 0)
            (configuration, rows, count) = (configuration, rows, count)
            do {
            #sourceLocation(file: "\(path)", line: \(line))
            \(body)
            #sourceLocation()
            }
            }

            """
    }
}
