import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Conflicts as values: encoded, printed, ordered, and settled by other values.
@Suite struct DraftConflictTests {
    // MARK: Values

    private static let values: [DraftValue] = [
        .none, .bool(true), .int(.min), .int(.max), .float(.nan), .float(-.infinity),
        .float(.leastNonzeroMagnitude), .double(.nan), .double(.infinity), .double(0.1),
        .double(.greatestFiniteMagnitude), .string(""), .string("\u{0}\"\n🐟"), .data(Data()),
        .data(Data([0, 255])), .date(.distantPast), .date(.distantFuture),
        .date(Date(timeIntervalSinceReferenceDate: 1e300)),
        .date(Date(timeIntervalSinceReferenceDate: .infinity)),
        .date(Date(timeIntervalSinceReferenceDate: 0.123_456_789)), .decimal128("1.5"),
        .decimal128(Decimal128.nan), .objectId(ObjectId("0123456789abcdef01234567")),
        .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()),
        .object(DraftObject(className: "A", primaryKey: .string("k"))), .list([.none, .int(1)]),
        .set([.double(.nan)]), .map(["": .list([]), "a": .map(["b": .none])]),
    ]

    @Test(arguments: values) func coding(_ value: DraftValue) throws {
        let json = JSONEncoder()
        json.dateEncodingStrategy = .iso8601
        let encoded = try json.encode([value])
        #expect(try JSONDecoder().decode([DraftValue].self, from: encoded) == [value])
        let list = try PropertyListEncoder().encode([value])
        #expect(try PropertyListDecoder().decode([DraftValue].self, from: list) == [value])
        #expect(Set([value, value]).count == 1)
    }

    @Test func wrongCoding() {
        for text in [
            "[{}]", "[5]", #"[{"int": "a"}]"#, #"[{"int": 1, "bool": true}]"#,
            #"[{"double": "x"}]"#, #"[{"data": "%"}]"#,
        ] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([DraftValue].self, from: Data(text.utf8))
            }
        }
    }

    // MARK: Models

    enum Color: String, PersistableEnum { case red, green, blue }

    class Thing: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var zebra: String
        @Persisted var apple: Int8
        @Persisted var color: Color
        @Persisted var list: List<Int>
        @Persisted var map: Map<String, Int?>
        @Persisted var any: AnyRealmValue
        @Persisted var other: Thing?
        @Persisted var part: Part?
        @Persisted var parts: List<Part>

        override class func propertiesMapping() -> [String: String] { ["zebra": "stored_zebra"] }
    }

    class Part: EmbeddedObject {
        @Persisted var text: String
    }

    /// Runs `body` with a draft that is in conflict with a later version.
    private func withConflict(
        mine: (Thing) -> Void, theirs: @escaping @Sendable (Thing) -> Void,
        _ body: (Draft, Realm) throws -> Void
    ) throws {
        try withTemporaryRealm([Thing.self, Part.self]) { realm in
            try realm.write {
                for id in 1...3 {
                    realm.create(
                        Thing.self,
                        value: [
                            "id": id, "color": Color.red.rawValue, "list": [1, 2, 3],
                            "map": ["a": 1, "b": 2], "part": ["text": "old"],
                        ])
                }
            }
            let draft = try realm.draft()
            let thing = try #require(draft.object(ofType: Thing.self, forPrimaryKey: 1))
            mine(thing)
            try Book.elsewhere(realm) {
                guard let thing = $0.object(ofType: Thing.self, forPrimaryKey: 1) else {
                    throw Realm.Error(.fail)
                }
                theirs(thing)
            }
            try body(draft, realm)
        }
    }

    private func thing(_ realm: Realm, _ id: Int = 1) throws -> Thing {
        realm.refresh()
        return try #require(realm.object(ofType: Thing.self, forPrimaryKey: id))
    }

    // MARK: Order and names

    @Test func orderAndNames() throws {
        try withConflict(
            mine: { thing in
                (thing.zebra, thing.apple, thing.color) = ("m", 1, .green)
                thing.map["b"] = 7
                thing.map["a"] = 7
            },
            theirs: { thing in
                (thing.zebra, thing.apple, thing.color) = ("t", 2, .blue)
                thing.map["a"] = 8
                thing.map["b"] = 8
            }
        ) { draft, _ in
            let conflicts = try draft.conflicts
            #expect(
                conflicts.map(\.property) == [
                    "zebra", "apple", "color", "map[\"a\"]", "map[\"b\"]",
                ])
            #expect(conflicts[2].base == "red" && conflicts[2].mine == "green")
            #expect(conflicts[2].theirs == "blue")
        }
    }

    // MARK: Resolutions

    @Test func valuesOfEveryKind() throws {
        try withConflict(
            mine: { thing in
                (thing.apple, thing.color, thing.any) = (1, .green, .int(1))
                thing.list[0] = 10
                thing.map["a"] = 7
                thing.other = thing
            },
            theirs: { thing in
                (thing.apple, thing.color, thing.any) = (2, .blue, .int(2))
                thing.list[0] = 20
                thing.map["a"] = 8
                thing.other = thing.realm?.object(ofType: Thing.self, forPrimaryKey: 2)
            }
        ) { draft, realm in
            let other = DraftObject(className: "DraftConflictTests_Thing", primaryKey: 3)
            try draft.save { conflict in
                switch conflict.property {
                case "apple": .value(-5)
                case "color": .value("red")
                case "any": .value(.list([.none, .map(["b": 1, "a": .object(other)])]))
                case "list": .value(.list([7, 8]))
                case "map[\"a\"]": .value(.none)
                case "other": .value(.object(other))
                default: nil
                }
            }
            let saved = try thing(realm)
            #expect(saved.apple == -5 && saved.color == .red && Array(saved.list) == [7, 8])
            #expect(saved.map["a"] == .some(.none) && saved.map["b"] == 2)
            #expect(saved.other?.id == 3)
            let nested = saved.any.listValue?[1].dictionaryValue
            #expect(nested?["b"] == .int(1))
            #expect(nested?["a"]?.object(Thing.self)?.id == 3)
        }
    }

    /// A new object of the draft is named by its primary key, though it gets another row.
    @Test func linksToNewObjects() throws {
        try Book.withPerson { realm, person in
            let note = Book.Note(value: ["text": "n"])
            try realm.write { realm.add(note) }
            let draft = try realm.draft()
            let mine = draft.create(Book.Person.self, value: ["id": 5, "name": "mine"])
            try Book.person(in: draft.realm).partner = mine
            try Book.elsewhere(realm) {
                let person = try Book.person(in: $0)
                person.partner = $0.create(Book.Person.self, value: ["id": 6])
            }
            let conflict = try #require(try draft.conflicts.first)
            guard case .object(let named)? = conflict.mine else {
                Issue.record("The draft's value is an object.")
                return
            }
            #expect(named.primaryKey == 5)
            try draft.save(resolving: .value(.object(named)))
            #expect(person.partner?.name == "mine")
        }
    }

    @Test func embeddedObjects() throws {
        try withConflict(
            mine: { $0.part = nil }, theirs: { $0.part?.text = "theirs" }
        ) { draft, _ in
            #expect(throws: Realm.Error.self) { try draft.save(resolving: .value("x")) }
            try draft.save(resolving: .theirs)
        }
        try withConflict(
            mine: { $0.any = .string("m") }, theirs: { $0.any = .string("t") }
        ) { draft, realm in
            let part = DraftObject(className: "DraftConflictTests_Part", primaryKey: .none)
            #expect(throws: Realm.Error.self) {
                try draft.save(resolving: .value(.object(part)))
            }
            try draft.save(resolving: .value(.none))
            #expect(try thing(realm).any == .none)
        }
    }

    private static let misfits: [(String, DraftValue)] = [
        ("zebra", 5), ("zebra", .none), ("zebra", .list([])), ("apple", 300), ("apple", "x"),
        ("color", 1), ("list", 5), ("list", .list(["x"])), ("list", .list([.none])),
        ("map[\"a\"]", "x"), ("map[\"a\"]", .map([:])), ("any", .set([])),
        ("other", .object(DraftObject(className: "DraftConflictTests_Thing", primaryKey: 99))),
        ("other", .object(DraftObject(className: "DraftConflictTests_Part", primaryKey: 1))),
        ("other", 1),
    ]

    @Test(arguments: misfits) func valuesThatDoNotFit(_ property: String, _ value: DraftValue)
        throws
    {
        try withConflict(
            mine: { thing in
                (thing.zebra, thing.apple, thing.color) = ("m", 1, .green)
                thing.any = .int(1)
                thing.list[0] = 10
                thing.map["a"] = 7
                thing.other = thing
            },
            theirs: { thing in
                (thing.zebra, thing.apple, thing.color) = ("t", 2, .blue)
                thing.any = .int(2)
                thing.list[0] = 20
                thing.map["a"] = 8
                thing.other = thing.realm?.object(ofType: Thing.self, forPrimaryKey: 2)
            }
        ) { draft, realm in
            let error = try #require(throws: Realm.Error.self) {
                try draft.save { $0.property == property ? .value(value) : .mine }
            }
            let name = property.prefix { $0 != "[" }
            #expect(error.code == .invalidInput)
            #expect(error.message.contains(".\(name)") && error.message.contains("the type '"))
            #expect(try thing(realm).apple == 2 && draft.hasChanges)
        }
    }

    @Test func wholeObjects() throws {
        try Book.withPerson { realm, _ in
            let draft = try realm.draft()
            try Book.person(in: draft.realm).name = "Eve"
            try Book.elsewhere(realm) { $0.delete(try Book.person(in: $0)) }
            let error = try #require(throws: Realm.Error.self) {
                try draft.save(resolving: .value("x"))
            }
            #expect(error.code == .invalidInput && error.message.contains("the whole object"))
        }
    }

    // MARK: Texts

    @Test(.disabled(if: EncryptedSuite.isOn, "Values of encrypted files are hidden."))
    func table() throws {
        try withConflict(
            mine: { thing in
                thing.zebra = String(repeating: "long ", count: 100)
                thing.apple = 1
            },
            theirs: { thing in
                thing.zebra = "日本\n"
                thing.apple = 2
            }
        ) { draft, _ in
            let conflict = try #require(throws: DraftConflict.self) { try draft.save() }
            let lines = "\(conflict)".split(separator: "\n").map(String.init)
            #expect(lines.count == 4 && lines[0].hasPrefix("2 conflicts in \""))
            #expect(
                lines[1]
                    == "object                      property  base  "
                    + "mine                                      theirs    conflict")
            #expect(
                lines[2]
                    == "DraftConflictTests_Thing 1  zebra     \"\"    "
                    + "\"long long long long long long long lon…  \"日本\\n\"  value")
            #expect(
                lines[3]
                    == "DraftConflictTests_Thing 1  apple     0     "
                    + "1                                         2         value")
            let error: any Error = conflict
            #expect(
                error.localizedDescription
                    == "Others have changed what the draft has changed, too: "
                    + "DraftConflictTests_Thing 1.zebra, DraftConflictTests_Thing 1.apple.")
            #expect((error as NSError).domain == "io.realm.draft-conflict")
            #expect((error as NSError).code == 2)
            #expect(conflict.recoverySuggestion?.contains("save(resolving:)") == true)
        }
    }
}
