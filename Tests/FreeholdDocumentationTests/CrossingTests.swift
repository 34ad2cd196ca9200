import Foundation
import Testing
import FreeholdRealmTestSupport

/// What may cross to another thread, task or actor, and that the compiler says so.
///
/// The table of the DocC page "Sendable types" is the list of types that the compiler is asked
/// about. Beyond the types, the mistakes that people make
/// are tried, each on a line of its own that must have its error.
///
/// Three runs of the compiler: what it allows; what it refuses by types; what it refuses by
/// following values, which it does only where the types are right.
@Suite struct CrossingTests {
    private static let models = """
        import Dispatch
        import Freehold

        final class Dog: Object {
            @Persisted var name = ""
            @Persisted(originProperty: "dog") var owners: LinkingObjects<Person>
        }
        final class Address: EmbeddedObject { @Persisted var city = "" }
        final class Person: Object {
            @Persisted var name = ""
            @Persisted var dog: Dog?
            @Persisted var address: Address?
            /// Not Sendable.
            var handler: () -> Void { {} }
        }
        func requireSendable<T: Sendable>(_ type: T.Type) {}

        """

    @Test func whatTheTableAllowsCompiles() throws {
        let rows = try CrossingTable.rows()
        let types = rows.filter(\.isSendable)
        #expect(types.count >= 20 && types.count < rows.count)
        let source =
            CrossingTests.models
            + types.map { "func may\($0.line)() { requireSendable((\($0.type)).self) }\n" }.joined()
                + """
                struct Session: Sendable { @ThreadSafe var person: Person? }
                struct Report: Sendable {
                    let person: Frozen<Person>, people: Frozen<Results<Person>>
                }

                func share(_ person: Person, _ queue: DispatchQueue) {
                    let frozen = Frozen(person), session = Session(person: person)
                    let reference = ThreadSafeReference(to: person)
                    queue.async {
                        print(frozen.name, frozen.dog?.name ?? "", frozen.address?.city ?? "")
                        print(session.person?.name ?? "")
                        if let owners = frozen.dog?.owners {
                            for owner in owners.where({ $0.name != "" }) {
                                print(owner.name, owners.count)
                            }
                        }
                        if let realm = try? Realm(queue: queue) {
                            print(realm.resolve(reference)?.name ?? "")
                        }
                    }
                    Task.detached { print(frozen) }
                }
                actor Keeper {
                    private var realm: Realm?
                    func open() async throws { realm = try await Realm.open() }
                    func people() -> Frozen<Results<Person>>? {
                        realm.map { Frozen($0.objects(Person.self)) }
                    }
                    func rename(_ person: Frozen<Person>) { person.thaw()?.name = "Ada" }
                }
                @MainActor func show(_ keeper: Keeper) async {
                    guard let people = await keeper.people() else { return }
                    for person in people.where({ $0.name != "" }) { print(person.name) }
                }

                """
        let errors = try Verdict.of(source)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func whatTheTableRefusesDoesNotCompile() throws {
        let types = try CrossingTable.rows().filter { !$0.isSendable }
        #expect(types.count >= 8)
        var lines = types.map { ("requireSendable((\($0.type)).self)", ["Sendable"]) }
        lines += [
            // Captured by what runs elsewhere.
            (
                "func a(_ realm: Realm) { DispatchQueue.global().async { _ = realm.isEmpty } }",
                ["non-Sendable type 'Realm'"]
            ),
            (
                "func b(_ person: Person) { DispatchQueue.global().async { _ = person.name } }",
                ["non-Sendable type 'Person'"]
            ),
            (
                """
                func c(_ people: Results<Person>) { DispatchQueue.global().async { _ = \
                people.count } }
                """,
                ["non-Sendable type 'Results<Person>'"]
            ),
            (
                """
                func l(_ owners: LinkingObjects<Person>) { DispatchQueue.global().async { \
                _ = owners.count } }
                """,
                ["non-Sendable type 'LinkingObjects<Person>'"]
            ),
            (
                "func m(_ frozen: Frozen<Dog>) -> LinkingObjects<Person> { frozen.owners }",
                ["Sendable"]
            ),
            (
                """
                func d(_ person: Person) { let frozen = person.freeze(); \
                DispatchQueue.global().async { _ = frozen.name } }
                """,
                ["non-Sendable type 'Person'"]
            ),
            // Made part of something Sendable.
            ("struct Holder: Sendable { let person: Person }", ["non-Sendable type 'Person'"]),
            ("final class Session: Sendable { @ThreadSafe var person: Person? }", ["is mutable"]),
            // Taken out of what is frozen.
            ("func e(_ frozen: Frozen<Person>) { let person: Person? = frozen.dog }", ["cannot"]),
            (
                "func l(_ address: Address) { DispatchQueue.global().async { _ = address.city } }",
                ["non-Sendable type 'Address'"]
            ),
            (
                "func m(_ frozen: Frozen<Person>) { let address: Address? = frozen.address }",
                ["Sendable"]
            ),
            ("func f(_ frozen: Frozen<Person>) -> () -> Void { frozen.handler }", ["Sendable"]),
            ("func g(_ frozen: Frozen<Person>) -> Realm? { frozen.realm }", ["Sendable"]),
            (
                "func h(_ frozen: Frozen<Results<Person>>) -> Person? { frozen.first }",
                ["cannot convert return"]
            ),
            ("func i(_ frozen: Frozen<Person>) { frozen.name = \"\" }", ["cannot assign"]),
            (
                "@MainActor func k(_ keeper: Keeper) async { _ = await keeper.person }",
                ["non-Sendable type 'Person?'"]
            ),
            ("actor Keeper { var person: Person? }", []),
            ("func j(_ name: String) { _ = Frozen(name) }", ["conform to 'ThreadConfined'"]),
        ]
        // Each in a function of its own, as the compiler stops at the first error of an expression.
        try expectErrors(
            lines.enumerated().map { number, line in
                (
                    line.0.hasPrefix("requireSendable")
                        ? "func mayNot\(number)() { \(line.0) }" : line.0, line.1
                )
            })
    }

    @Test func valuesThatLeaveTheirPlaceDoNotCompile() throws {
        try expectErrors([
            (
                "func a(_ realm: Realm) { Task { _ = realm.isEmpty } }",
                ["risks causing data races", "passing closure as a 'sending'"]
            ),
            (
                "func b(_ person: Person) { Task.detached { _ = person.name } }",
                ["risks causing data races"]
            ),
            (
                """
                @MainActor func c(_ people: Results<Person>) { Task.detached { _ = \
                people.count } }
                """,
                ["risks causing data races"]
            ),
            // Used here as well.
            (
                """
                func d() throws { let realm = try Realm(); Task.detached { _ = \
                realm.isEmpty }; _ = realm.isEmpty }
                """,
                ["risks causing data races"]
            ),
            (
                "func k(_ draft: Draft) { Task.detached { try draft.save() } }",
                ["risks causing data races"]
            ),
            (
                "func l(_ realm: Realm) { let undo = realm.undoManager; "
                    + "Task.detached { try undo.undo() } }",
                ["risks causing data races"]
            ),
            // From one actor to another.
            (
                "actor A { var realm: Realm?; func f(_ b: B) async { await b.take(realm) } }",
                ["risks causing data races"]
            ),
            ("actor B { func take(_ realm: Realm?) {} }", []),
            (
                "@MainActor func f(_ person: Person) async { await g(person) }",
                ["risks causing data races"]
            ),
            ("@concurrent func g(_ person: Person) async {}", []),
            (
                "@MainActor func h(_ query: Query<Bool>) { Task.detached { _ = query } }",
                ["risks causing data races"]
            ),
            (
                """
                func i(_ iterator: RLMIterator<Person>) { Task { var own = iterator; _ = \
                own.next() } }
                """,
                ["risks causing data races"]
            ),
        ])
    }

    /// What the documents say that the compiler does not find. If it finds this one day, say so
    /// there.
    @Test func aFreshRealmMaySlipAway() throws {
        let errors = try Verdict.of(
            CrossingTests.models + """
                func slip() throws {
                    let realm = try Realm()
                    Task.detached { _ = realm.isEmpty }
                }
                """)
        #expect(errors.isEmpty, "\(errors)")
    }

    /// Each line has an error with all of its words, or none where there are no words.
    private func expectErrors(
        _ lines: [(code: String, words: [String])],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let first = CrossingTests.models.split(separator: "\n", omittingEmptySubsequences: false)
            .count
        let errors = try Verdict.of(CrossingTests.models + lines.map { $0.code + "\n" }.joined())
        for (offset, line) in lines.enumerated() {
            let found = errors.filter { $0.line == first + offset }.map(\.message)
            if line.words.isEmpty {
                #expect(found.isEmpty, "\(line.code): \(found)", sourceLocation: sourceLocation)
            } else {
                let isFound = line.words.allSatisfy { word in found.contains { $0.contains(word) } }
                #expect(
                    isFound, "\(line.code) has the errors \(found)", sourceLocation: sourceLocation)
            }
        }
        #expect(
            errors.allSatisfy { $0.line >= first }, "\(errors.filter { $0.line < first })",
            sourceLocation: sourceLocation)
    }
}

/// What the compiler says about a file.
private struct Verdict {
    let line: Int
    /// The error, with the notes that follow it.
    let message: String

    static func of(_ source: String) throws -> [Verdict] {
        let compiler = try #require(
            SwiftCompiler(), "There is no swiftc on the PATH or in /opt/swift/usr/bin.")
        return try withTemporaryDirectory { directory in
            let file = directory.file("crossing.swift")
            try source.write(to: file, atomically: false, encoding: .utf8)
            let (status, output) = try compiler.check([file], followsValues: true)
            var verdicts: [Verdict] = []
            for text in output.components(separatedBy: "\n") {
                // path:line:column: error: message
                guard text.hasPrefix(file.path + ":") else { continue }
                let parts = text.dropFirst(file.path.count + 1).split(separator: ":", maxSplits: 3)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                guard parts.count == 4, let line = Int(parts[0]) else { continue }
                if parts[2] == "error" {
                    verdicts.append(Verdict(line: line, message: parts[3]))
                } else if parts[2] == "note", let last = verdicts.popLast() {
                    verdicts.append(
                        Verdict(line: last.line, message: last.message + "; " + parts[3]))
                }
            }
            #expect((status != 0) == !verdicts.isEmpty, "The compiler failed otherwise: \(output)")
            return verdicts
        }
    }
}

/// The table of the documents.
private struct CrossingTable {
    struct Row {
        let type: String
        let isSendable: Bool
        /// In the document.
        let line: Int
    }

    /// One row for each type of the table: a line may name several.
    static func rows() throws -> [Row] {
        let document = SwiftCompiler.packageRoot.appendingPathComponent(
            "Sources/Freehold/Freehold.docc/SendableTypes.md")
        let lines = try String(contentsOf: document, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(
            lines.firstIndex { $0.hasPrefix("| type |") },
            "The table is gone from \(document.path).")
        var rows: [Row] = []
        for (offset, line) in lines[(start + 1)...].enumerated() {
            if line.hasPrefix("#") { break }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 2, cells[1] == "yes" || cells[1] == "no" else { continue }
            for (number, type) in cells[0].split(separator: "`").enumerated() where number % 2 == 0
            {
                rows.append(
                    Row(
                        type: String(type), isSendable: cells[1] == "yes",
                        line: (start + 1 + offset) * 100 + number))
            }
        }
        return rows
    }
}
