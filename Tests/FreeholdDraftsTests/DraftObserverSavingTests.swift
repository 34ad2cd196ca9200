import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Saving and rebasing tell observers of what others changed, and not of the draft's own edits
/// again.
@Suite struct DraftObserverSavingTests {
    private func observeAll(_ observed: ObservedDraft, _ person: Book.Person) {
        observed.observe(observed.draft.objects(Book.Person.self), "persons ")
        observed.observe(person)
        observed.observe(person.tags, "tags ")
        observed.observe(person.scores, "scores ")
        observed.observe(person.numbers, "numbers ")
        observed.observe(person.addresses, "addresses ")
    }

    private func edit(_ person: Book.Person) {
        person.tags.insert("x", at: 0)
        person.scores.insert(1)
        person.numbers["a"] = "b"
        person.addresses.append(Book.Address(value: ["street": "s", "city": "c"]))
        person.nickname = String(repeating: "long ", count: 10_000)
    }

    @Test func editsAreToldOnce() throws {
        try ObservedDraft.with { observed, person in
            observeAll(observed, person)
            _ = observed.told()
            edit(person)
            #expect(observed.told().count >= 6)
            try observed.draft.save()
            #expect(observed.told() == [])
            person.tags.append("y")
            #expect(observed.told() == ["persons [] [] [0]", "tags - -", "tags [] [4] []"])
            try observed.draft.save()
            #expect(observed.told() == [])
        }
    }

    /// Others have changed something else of the same object, so that the edits are merged.
    @Test(arguments: [false, true]) func editsThatAreMergedAreToldOnce(rebases: Bool) throws {
        try ObservedDraft.with { observed, person in
            observeAll(observed, person)
            _ = observed.told()
            edit(person)
            _ = observed.told()
            try Book.elsewhere(observed.realm) { try Book.person(in: $0).age = 5 }
            if rebases { try observed.draft.rebase() } else { try observed.draft.save() }
            #expect(observed.told() == ["persons [] [] [0]", "age 36 5"])
            try observed.draft.save()
            #expect(observed.told() == [])
        }
    }

    /// Others have changed the same list.
    @Test func mergedListsAreToldByTheirElements() throws {
        try ObservedDraft.with { observed, person in
            observed.observe(person)
            observed.observe(person.tags, "tags ")
            _ = observed.told()
            person.tags.insert("x", at: 0)
            #expect(observed.told() == ["tags - -", "tags [] [0] []"])
            try Book.elsewhere(observed.realm) { try Book.person(in: $0).tags.append("d") }
            try observed.draft.save()
            #expect(observed.told() == ["tags - -", "tags [] [4] []"])
        }
    }

    /// A large list, whose nodes have pages of their own.
    @Test func largeLists() throws {
        let prepare = { (realm: Realm) in
            let tags = try Book.person(in: realm).tags
            for number in 0..<5_000 { tags.append("\(number)") }
        }
        try ObservedDraft.with(prepare: prepare) { observed, person in
            observeAll(observed, person)
            _ = observed.told()
            person.tags.remove(at: 2_000)
            #expect(
                observed.told() == ["persons [] [] [0]", "tags - -", "tags [2000] [] []"])
            try Book.elsewhere(observed.realm) { try Book.person(in: $0).tags.append("d") }
            try observed.draft.save()
            #expect(
                observed.told() == ["persons [] [] [0]", "tags - -", "tags [] [5002] []"])
        }
    }

    /// Collections in a value, and links in one.
    @Test func mixedValues() throws {
        let prepare = { (realm: Realm) in
            _ = realm.create(Book.Note.self, value: ["text": "note"])
        }
        try ObservedDraft.with(prepare: prepare) { observed, person in
            observed.observe(person, keyPaths: ["any", "age"])
            let note = try #require(observed.draft.objects(Book.Note.self).first)
            for value: AnyRealmValue in [
                .fromArray([.int(1), .fromDictionary(["a": .string("b")])]), .object(note),
                .string(String(repeating: "long ", count: 10_000)),
            ] {
                person.any = value
                #expect(observed.told().map { $0.prefix(3) } == ["any"])
                try Book.elsewhere(observed.realm) { try Book.person(in: $0).age += 1 }
                try observed.draft.save()
                #expect(observed.told().map { $0.prefix(3) } == ["age"])
                try observed.draft.save()
                #expect(observed.told() == [])
            }
            person.any = .fromArray([.int(1)])
            _ = observed.told()
            person.any.listValue?.append(.int(2))
            #expect(observed.told().map { $0.prefix(3) } == ["any"])
            try observed.draft.save()
            #expect(observed.told() == [])
        }
    }

    /// As in a realm: old values of what others changed, none of what was changed here.
    @Test func oldValuesOfOthersChanges() throws {
        try ObservedDraft.with { observed, person in
            observed.observe(person, keyPaths: ["age", "name", "partner", "nickname"])
            person.name = "Eve"
            #expect(observed.told() == ["name - Eve"])
            try Book.elsewhere(observed.realm) {
                let person = try Book.person(in: $0)
                person.age = 5
                person.partner = $0.create(Book.Person.self, value: ["id": 2])
            }
            try observed.draft.rebase()
            #expect(observed.told() == ["age 36 5", "partner - person 2"])
            person.age = 6
            #expect(observed.told() == ["age - 6"])
            try Book.elsewhere(observed.realm) {
                let person = try Book.person(in: $0)
                person.nickname = "Nick"
                person.partner = nil
            }
            try observed.draft.save()
            #expect(observed.told() == ["nickname - Nick", "partner person 2 -"])
            person.nickname = "N"
            #expect(observed.told() == ["nickname - N"])
        }
    }

    @Test func oldValuesOfNestedDrafts() throws {
        try ObservedDraft.with { observed, person in
            observed.observe(person, keyPaths: ["age", "name"])
            let inner = try observed.draft.draft()
            let innerPerson = try #require(inner.resolve(person))
            let token = innerPerson.observe(keyPaths: ["age", "name"]) { change in
                guard case .change(_, let properties) = change else { return }
                for property in properties {
                    observed.add("inner \(property.name) \(property.oldValue ?? "-")")
                }
            }
            person.age = 7
            #expect(observed.told() == ["age - 7"])
            try inner.rebase()
            #expect(observed.told() == ["inner age 36"])
            innerPerson.name = "Eve"
            #expect(observed.told() == ["inner name -"])
            try inner.save()
            #expect(observed.told() == ["name Ada Eve"])
            token.invalidate()
        }
    }

    /// A loop over the changes of an object gets the same.
    @Test @MainActor func oldValuesInStreams() async throws {
        let directory = try TemporaryDirectory()
        let realm = try await Realm.open(
            configuration: Realm.Configuration(fileURL: directory.file(), objectTypes: Book.all))
        try realm.write { _ = realm.create(Book.Person.self, value: ["id": 1, "age": 36]) }
        let draft = try realm.draft()
        let person = try #require(draft.object(ofType: Book.Person.self, forPrimaryKey: 1))
        var told: [String] = []
        let task = Task { @MainActor in
            for await change in person.changes {
                guard case .change(_, let properties) = change else { continue }
                told += properties.map { "\($0.name) \($0.oldValue ?? "-")" }
                if told.count == 1 {
                    try Book.elsewhere(realm) { try Book.person(in: $0).age = 5 }
                    try draft.rebase()
                }
                if told.count == 2 { break }
            }
        }
        await Task.yield()
        person.name = "Eve"
        try await task.value
        #expect(told == ["name -", "age 36"])
        #expect(try realm.check().isEmpty)
        directory.delete()
    }
}
