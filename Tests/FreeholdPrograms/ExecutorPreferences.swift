import Freehold

/// An actor with the executor of most, which tasks bring to theirs.
private actor Library {
    private var realm: Realm?

    func add(_ id: Int, _ configuration: Realm.Configuration) async throws {
        if realm == nil { realm = try await Realm.open(configuration: configuration) }
        guard let realm else { return }
        try await realm.asyncWrite { realm.add(Note(value: ["id": id])) }
    }

    var count: Int { realm?.objects(Note.self).count ?? 0 }
}

/// An actor that a preferred executor runs.
private actor Pinned: PinnedActor {
    let executor: PinnedExecutor
    init(_ executor: PinnedExecutor) { self.executor = executor }

    func count(_ configuration: Realm.Configuration) async throws -> Int {
        try await Realm.open(configuration: configuration).objects(Note.self).count
    }
}

extension NaturalProgram {
    /// Tasks that prefer an executor of one thread.
    static let executorPreferences = [
        NaturalProgram("a task prefers a pinned executor") { configuration in
            let executor = PinnedExecutor("preferred")
            return try await Task(executorPreference: executor) {
                let realm = try await Realm.open(configuration: configuration)
                let note = try await realm.asyncWrite { realm.create(Note.self, value: ["id": 1]) }
                for _ in 1...20 {
                    await Task.yield()
                    try await realm.asyncWrite { note.text += "x" }
                }
                await realm.asyncRefresh()
                return differences(
                    ("the length", note.text.count, 20),
                    ("the count", realm.objects(Note.self).count, 1))
            }.value
        },
        NaturalProgram("a part of a task prefers a pinned executor") { configuration in
            let executor = PinnedExecutor("preferred")
            let count = try await withTaskExecutorPreference(executor) {
                let realm = try await Realm.open(configuration: configuration)
                for id in 1...20 {
                    try realm.write { realm.add(Note(value: ["id": id])) }
                    await Task.yield()
                }
                return realm.objects(Note.self).count
            }
            let realm = try await Realm.open(configuration: configuration)
            return differences(
                ("the count there", count, 20), ("the count", realm.objects(Note.self).count, 20))
        },
        NaturalProgram("tasks of a group prefer one pinned executor") { configuration in
            let executor = PinnedExecutor("preferred")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 1...20 {
                    group.addTask(executorPreference: executor) {
                        let realm = try await Realm.open(configuration: configuration)
                        try await realm.asyncWrite { realm.add(Note(value: ["id": id])) }
                        await Task.yield()
                        try realm.write {
                            realm.object(ofType: Note.self, forPrimaryKey: id)?.text = "\(id)"
                        }
                    }
                }
                try await group.waitForAll()
            }
            let realm = try await Realm.open(configuration: configuration)
            return differences(
                ("the count", realm.objects(Note.self).count, 20),
                ("those without a text", realm.objects(Note.self).where { $0.text == "" }.count, 0))
        },
        NaturalProgram("an actor that tasks bring to their executor, and others do not") {
            configuration in
            let (library, executor) = (Library(), PinnedExecutor("preferred"))
            for id in 1...10 {
                try await Task(executorPreference: executor) {
                    try await library.add(2 * id, configuration)
                }.value
                try await Task { try await library.add(2 * id + 1, configuration) }.value
            }
            let pinned = Pinned(executor)
            let counts = try await Task(executorPreference: executor) {
                let realm = try await Realm.open(configuration: configuration)
                let inner = try await pinned.count(configuration)
                return [realm.objects(Note.self).count, inner, await library.count]
            }.value
            return differences(
                ("the task's count", counts[0], 20), ("the pinned actor's", counts[1], 20),
                ("the actor's", counts[2], 20))
        },
        NaturalProgram("a task that prefers a pinned executor observes") { configuration in
            let executor = PinnedExecutor("preferred")
            let counts = try await Task(executorPreference: executor) {
                let realm = try await Realm.open(configuration: configuration)
                var counts: [Int] = []
                for await change in realm.objects(Note.self).changes {
                    switch change {
                    case .initial(let notes), .update(let notes, _, _, _):
                        counts.append(notes.count)
                    case .error: break
                    }
                    if counts.count == 3 { break }
                    try await realm.asyncWrite { realm.add(Note(value: ["id": counts.count])) }
                }
                return counts
            }.value
            return counts == [0, 1, 2] ? [] : ["The counts are \(counts)."]
        },
    ]
}
