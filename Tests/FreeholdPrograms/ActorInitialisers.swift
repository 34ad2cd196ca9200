import Freehold

/// What the actors below have in common once they are there. The realm is used at once, before
/// and behind awaits, from several tasks.
protocol NoteStore: Actor {
    var notes: Realm { get }
}

extension NoteStore {
    func add(_ id: Int) throws {
        try notes.write { notes.add(Note(value: ["id": id, "text": "a"])) }
    }

    func addLater(_ id: Int) async throws {
        try await notes.asyncWrite { notes.add(Note(value: ["id": id, "text": "b"])) }
        await notes.asyncRefresh()
    }

    func count() -> Int { notes.objects(Note.self).count }
}

/// Uses a store from several tasks, and compares what is in it.
///
/// - Parameter count: What its initialiser has added.
func use(_ store: some NoteStore, has count: Int = 0) async throws -> [String] {
    let before = await store.count()
    try await store.add(101)
    try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 102...110 {
            group.addTask { try await id % 2 == 0 ? store.addLater(id) : store.add(id) }
        }
        try await group.waitForAll()
    }
    return differences(
        ("the count at first", before, count), ("the count", await store.count(), count + 10))
}

private actor Constant: NoteStore {
    let notes: Realm
    init(_ configuration: Realm.Configuration) async throws {
        notes = try await Realm.open(configuration: configuration)
    }
}

private actor Variable: NoteStore {
    var notes: Realm
    init(_ configuration: Realm.Configuration) async throws {
        notes = try await Realm.open(configuration: configuration)
    }
}

private actor Unwrapped: NoteStore {
    private var realm: Realm!
    var notes: Realm { realm }
    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
    }
}

private actor Optional: NoteStore {
    private var realm: Realm?
    var notes: Realm { realm! }

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
        try await realm?.asyncWrite { realm?.add(Note(value: ["id": 1])) }
    }
}

private actor ForItself: NoteStore {
    private var realm: Realm!
    var notes: Realm { realm }
    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm(configuration: configuration, actor: self)
    }
}

/// Writes in its initialiser, in both ways, and refreshes.
private actor Filled: NoteStore {
    let notes: Realm
    let title: String

    init(_ configuration: Realm.Configuration) async throws {
        title = "filled"
        notes = try await Realm.open(configuration: configuration)
        try notes.write { notes.add(Note(value: ["id": 1])) }
        try await notes.asyncWrite { notes.add(Note(value: ["id": 2])) }
        await notes.asyncRefresh()
        let first = notes.object(ofType: Note.self, forPrimaryKey: 1)
        await Task.yield()
        try await notes.asyncWrite { first?.text = "filled" }
    }
}

/// Has properties left to set while it uses its realm, awaits included: the initialiser does
/// not run on the actor yet.
private actor Unfinished: NoteStore {
    let notes: Realm
    let first: Note
    let count: Int
    private(set) var problems: [String] = []

    init(_ configuration: Realm.Configuration) async throws {
        let realm = try await Realm.open(configuration: configuration)
        notes = realm
        try realm.write { realm.add(Note(value: ["id": 1])) }
        for _ in 0..<5 { await Task.yield() }
        try realm.write { realm.add(Note(value: ["id": 2])) }
        await notes.asyncRefresh()
        first = notes.objects(Note.self).first!
        count = notes.objects(Note.self).count
        if count != 2 { problems.append("\(count) objects behind the awaits") }
        try await notes.asyncWrite { first.text = "changed" }
    }

    func text() -> String { first.text }
}

/// Observes from its initialiser on.
private actor Observing: NoteStore {
    let notes: Realm
    private var token: NotificationToken?
    private(set) var sizes: [Int] = []

    init(_ configuration: Realm.Configuration) async throws {
        notes = try await Realm.open(configuration: configuration)
        token = await notes.objects(Note.self).observe(on: self) { actor, changes in
            switch changes {
            case .initial(let results), .update(let results, _, _, _):
                actor.sizes.append(results.count)
            case .error: actor.sizes.append(-1)
            }
        }
    }

    func stop() { token?.invalidate() }
}

/// Its initialiser fails after the opening, so the realm is released.
private actor Failing {
    let notes: Realm
    let number: Int

    struct Failure: Error {}

    init(_ configuration: Realm.Configuration, fails: Bool) async throws {
        notes = try await Realm.open(configuration: configuration)
        if fails { throw Failure() }
        number = 1
    }
}

/// Opens its realm again later: it is the same one.
private actor Reopening: NoteStore {
    let notes: Realm
    init(_ configuration: Realm.Configuration) async throws {
        notes = try await Realm.open(configuration: configuration)
    }
    func isSame() async throws -> Bool {
        try await Realm.open(configuration: notes.configuration) == notes
    }
}

/// Calls another initialiser.
private actor Delegating: NoteStore {
    let notes: Realm
    init(_ configuration: Realm.Configuration) async throws {
        notes = try await Realm.open(configuration: configuration)
    }

    init(_ configuration: Realm.Configuration, fill: Int) async throws {
        try await self.init(configuration)
        // A closure here is "a pattern that the region-based isolation checker does not
        // understand".
        for id in 0..<fill { try add(id) }
    }
}

/// Writes asynchronously where no actor has the realm yet: refused with a remedy.
private actor TooEarly: NoteStore {
    let notes: Realm
    let error: String

    init(_ configuration: Realm.Configuration) async throws {
        let realm = try await Realm.open(configuration: configuration)
        do {
            try await realm.asyncWrite { realm.add(Note(value: ["id": 1])) }
            error = ""
        } catch {
            self.error = "\(error)"
        }
        notes = realm
    }
}

extension NaturalProgram {
    static let actorInitialisers = [
        NaturalProgram("a constant") { try await use(try await Constant($0)) },
        NaturalProgram("a variable") { try await use(try await Variable($0)) },
        NaturalProgram("an implicitly unwrapped variable") {
            try await use(try await Unwrapped($0))
        },
        NaturalProgram("an optional variable") { try await use(try await Optional($0), has: 1) },
        NaturalProgram("opened for self") { try await use(try await ForItself($0)) },
        NaturalProgram("filled by the initialiser") { try await use(try await Filled($0), has: 2) },
        NaturalProgram("used before all properties are set") { configuration in
            let store = try await Unfinished(configuration)
            var problems = await store.problems + differences(("the stored count", store.count, 2))
            if await store.text() != "changed" {
                problems.append("what was written last is not there")
            }
            return try await problems + use(store, has: 2)
        },
        NaturalProgram("observed by the initialiser") { configuration in
            let store = try await Observing(configuration)
            let problems = try await use(store)
            while await store.sizes.last != 10 { await Task.yield() }
            await store.stop()
            return problems + differences(("the first size", await store.sizes.first ?? -1, 0))
        },
        NaturalProgram("an initialiser that throws") { configuration in
            do {
                _ = try await Failing(configuration, fails: true)
                return ["nothing was thrown"]
            } catch is Failing.Failure {}
            return try Realm.deleteFiles(for: configuration) ? [] : ["the file was not there"]
        },
        NaturalProgram("opened again") { configuration in
            let store = try await Reopening(configuration)
            let problems = try await use(store)
            let before = try await store.isSame()
            _ = await store.count()
            let after = try await store.isSame()
            return before && after ? problems : problems + ["the actor has two realms"]
        },
        NaturalProgram("an initialiser that calls another one") {
            try await use(try await Delegating($0, fill: 5), has: 5)
        },
        NaturalProgram("written asynchronously too early") { configuration in
            let store = try await TooEarly(configuration)
            let text = store.error
            let isRemedied =
                text.contains(
                    "asyncWrite() can only be called on main thread or actor-isolated Realms")
                && text.contains("behind the last one")
            return try await use(store) + (isRemedied ? [] : ["the error says: \(text)"])
        },
    ]
}
