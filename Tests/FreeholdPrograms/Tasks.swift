import Freehold

/// A realm that comes with a call, and stays.
private actor Keeper: NoteStore {
    private var realm: Realm!
    var notes: Realm { realm }
    func keep(_ realm: sending Realm) { self.realm = realm }
}

extension NaturalProgram {
    /// Tasks outside of all actors.
    static let tasks = [
        NaturalProgram("a task opens, writes and reads, awaits between") { configuration in
            let realm = try await Realm.open(configuration: configuration)
            for id in 1...20 {
                try realm.write { realm.add(Note(value: ["id": id])) }
                await Task.yield()
            }
            let note = realm.object(ofType: Note.self, forPrimaryKey: 7)
            await realm.asyncRefresh()
            try realm.write { note?.text = "seven" }
            return differences(
                ("the count", realm.objects(Note.self).count, 20),
                (
                    "those of the text",
                    realm.objects(Note.self).where { $0.text == "seven" }.count, 1
                ))
        },
        NaturalProgram("a realm that a task gives to an actor") { configuration in
            let keeper = Keeper()
            await keeper.keep(try await Realm.open(configuration: configuration))
            return try await use(keeper)
        },
        NaturalProgram("tasks beside each other") { configuration in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 1...20 {
                    group.addTask {
                        let realm = try await Realm.open(configuration: configuration)
                        try realm.write { realm.add(Note(value: ["id": id])) }
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
    ]
}
