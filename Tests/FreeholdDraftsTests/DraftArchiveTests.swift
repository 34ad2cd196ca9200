import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Drafts that are archived, and restored on a later version.
@Suite struct DraftArchiveTests {
    /// Archives the edits, drops the draft, and restores them after others have written.
    private func restore(
        _ realm: Realm, _ edit: (Draft) throws -> Void,
        others: (@Sendable (Realm) throws -> Void)? = nil,
        resolving resolution: DraftConflict.Resolution? = nil
    ) throws -> Draft {
        let draft = try realm.draft()
        try edit(draft)
        let archive = try draft.archive()
        draft.discard()
        if let others { try Book.elsewhere(realm, others) }
        realm.refresh()
        return try Draft(restoring: archive, in: realm, resolving: { _ in resolution })
    }

    // MARK: Values

    @Test func everyEditComesBack() throws {
        try Book.withPerson { realm, person in
            let note = Book.Note(value: ["text": "old", "lines": ["1", "2"]])
            try realm.write {
                realm.add(note)
                realm.create(Book.Country.self, value: ["code": "GB", "name": "Britain"])
                person.addresses.append(Book.Address(value: ["street": "a", "city": "A"]))
                person.addresses.append(Book.Address(value: ["street": "b", "city": "B"]))
            }
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Zoë 🐟"
            edited.nickname = nil
            edited.tags.replace(index: 1, object: "β")
            edited.tags.append("d")
            edited.scores.insert(objectsIn: [3, 1, 2])
            edited.numbers["home"] = "1"
            edited.numbers["work"] = "2"
            edited.any = .fromDictionary([
                "list": .fromArray([.int(1), .double(.nan), .none]), "text": .string("x"),
            ])
            edited.home?.city = "Paris"
            edited.addresses[1].street = "changed"
            edited.addresses.remove(at: 0)
            edited.addresses.append(Book.Address(value: ["street": "new", "city": "N"]))
            let friend = draft.create(Book.Person.self, value: ["id": 2, "name": "New"])
            friend.home = Book.Address(value: ["street": "friend"])
            edited.partner = friend
            friend.partner = edited
            try #require(draft.resolve(note)).lines.insert("0", at: 0)
            let added = draft.create(Book.Note.self, value: ["text": "added"])
            added.other = draft.resolve(note)
            edited.notes.append(objectsIn: [added, try #require(draft.resolve(note))])
            draft.delete(
                try #require(draft.object(ofType: Book.Country.self, forPrimaryKey: "GB")))
            let changes = draft.changes
            let archive = try draft.archive()
            draft.discard()

            let restored = try Draft(restoring: archive, in: realm)
            #expect(restored.changes == changes && restored.hasChanges && !restored.canUndo)
            try restored.save()
            #expect(person.name == "Zoë 🐟" && Array(person.tags) == ["a", "β", "c", "d"])
            #expect(Array(person.scores).sorted() == [1, 2, 3] && person.numbers["work"] == "2")
            #expect(person.addresses.map(\.street) == ["changed", "new"])
            #expect(person.partner?.home?.street == "friend" && person.partner?.partner == person)
            #expect(person.notes.map(\.text) == ["added", "old"])
            #expect(Array(note.lines) == ["0", "1", "2"])
            #expect(person.notes[0].other?.isSameObject(as: note) == true)
            #expect(realm.objects(Book.Country.self).isEmpty)
        }
    }

    @Test func noEdits() throws {
        try Book.withPerson { realm, _ in
            let restored = try restore(realm, { _ in })
            #expect(!restored.hasChanges)
        }
    }

    @Test func increments() throws {
        try Book.withPerson { realm, person in
            let restored = try restore(
                realm, { try Book.person(in: $0.realm).increment(\.age, by: 4) },
                others: { try Book.person(in: $0).age += 10 })
            try Book.elsewhere(realm) { try Book.person(in: $0).age += 100 }
            try restored.save()
            #expect(person.age == 36 + 114)
        }
    }

    // MARK: Merging

    @Test func mergesWhatDoesNotOverlap() throws {
        try Book.withPerson { realm, person in
            let restored = try restore(
                realm,
                { draft in
                    let edited = try Book.person(in: draft.realm)
                    edited.name = "Eve"
                    edited.tags.insert("first", at: 0)
                    edited.home?.street = "Side Street"
                    draft.create(Book.Note.self, value: ["text": "mine", "lines": ["1"]])
                },
                others: { realm in
                    let person = try Book.person(in: realm)
                    person.age = 99
                    person.tags.append("last")
                    person.home?.city = "Paris"
                    realm.create(Book.Note.self, value: ["text": "theirs"])
                })
            let edited = try Book.person(in: restored.realm)
            #expect(edited.name == "Eve" && edited.age == 99)
            try restored.save()
            #expect(Array(person.tags) == ["first", "a", "b", "c", "last"])
            #expect(person.home?.street == "Side Street" && person.home?.city == "Paris")
            #expect(Set(realm.objects(Book.Note.self).map(\.text)) == ["mine", "theirs"])
        }
    }

    @Test func conflictsAreThrownOrSettled() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            (edited.name, edited.age) = ("Eve", 50)
            let archive = try draft.archive()
            try Book.elsewhere(realm) {
                let person = try Book.person(in: $0)
                (person.name, person.age) = ("Grace", 60)
            }
            let expected = try draft.conflicts
            draft.discard()
            realm.refresh()
            let conflict = try #require(throws: DraftConflict.self) {
                try Draft(restoring: archive, in: realm)
            }
            #expect(conflict.conflicts == expected && expected.map(\.property) == ["name", "age"])
            var asked: [String?] = []
            let restored = try Draft(restoring: archive, in: realm) {
                asked.append($0.property)
                return $0.property == "name" ? .mine : .value(55)
            }
            #expect(asked == ["name", "age"])
            try restored.save()
            #expect(person.name == "Eve" && person.age == 55)
        }
    }

    @Test(arguments: [DraftConflict.Resolution.mine, .theirs])
    func deletedByOthers(_ resolution: DraftConflict.Resolution) throws {
        try Book.withPerson { realm, _ in
            let edit = { (draft: Draft) in try Book.person(in: draft.realm).name = "Eve" }
            let delete = { @Sendable (realm: Realm) in realm.delete(try Book.person(in: realm)) }
            let conflict = try #require(throws: DraftConflict.self) {
                _ = try restore(realm, edit, others: delete)
            }
            #expect(conflict.conflicts.map(\.kind) == [.deletedByThem])
            #expect(conflict.conflicts[0].object?.primaryKey == 1)
            #expect(conflict.conflicts[0].changed == ["Book_Person 1.name"])
        }
        try Book.withPerson { realm, _ in
            let restored = try restore(
                realm, { try Book.person(in: $0.realm).name = "Eve" },
                others: { $0.delete(try Book.person(in: $0)) }, resolving: resolution)
            try restored.save()
            let person = realm.object(ofType: Book.Person.self, forPrimaryKey: 1)
            if resolution == .theirs {
                #expect(person == nil)
            } else {
                #expect(person?.name == "Eve" && person?.age == 36 && person?.tags.count == 3)
                #expect(person?.home?.street == "Main Street")
            }
        }
    }

    @Test func createdTwice() throws {
        try Book.withPerson { realm, _ in
            let restored = try restore(
                realm,
                {
                    $0.create(Book.Country.self, value: ["code": "FR", "name": "same"])
                    $0.create(Book.Country.self, value: ["code": "GB", "name": "mine"])
                    #expect($0.create(Book.Order.self, value: ["text": "mine"]).id == 1)
                },
                others: {
                    $0.create(Book.Country.self, value: ["code": "GB", "name": "theirs"])
                    $0.create(Book.Country.self, value: ["code": "FR", "name": "same"])
                    $0.create(Book.Order.self, value: ["text": "theirs"])
                }, resolving: .mine)
            try restored.save()
            #expect(
                realm.objects(Book.Country.self).sorted(by: \.code).map(\.name) == [
                    "same", "mine",
                ])
            #expect(
                realm.objects(Book.Order.self).sorted(by: \.id).map(\.text) == [
                    "theirs", "mine",
                ])
        }
    }

    // MARK: Places

    @Test func nestedDrafts() throws {
        try Book.withPerson { realm, person in
            let parent = try realm.draft()
            try Book.person(in: parent.realm).name = "Eve"
            let inner = try parent.draft()
            let edited = try Book.person(in: inner.realm)
            edited.age = 50
            inner.create(Book.Note.self, value: ["text": "inner"])
            let archive = try inner.archive()
            inner.discard()
            parent.create(Book.Note.self, value: ["text": "parent"])
            let restored = try Draft(restoring: archive, in: parent.realm)
            #expect(restored.parent == parent)
            #expect(try Book.person(in: restored.realm).name == "Eve")
            try restored.save()
            #expect(try Book.person(in: parent.realm).age == 50)
            try parent.save()
            #expect(person.age == 50 && realm.objects(Book.Note.self).count == 2)
            // The edits of the inner draft alone.
            try realm.write { (person.name, person.age) = ("Ada", 36) }
            let alone = try Draft(restoring: archive, in: realm)
            #expect(try Book.person(in: alone.realm).name == "Ada")
            #expect(try Book.person(in: alone.realm).age == 50)
        }
    }

    /// In another file, objects are found by their primary keys, or by their values.
    @Test(.disabled(if: EncryptedSuite.isOn, "Archives of encrypted files stay with their files."))
    func anotherFile() throws {
        try Book.withPerson { realm, person in
            let note = Book.Note(value: ["text": "known"])
            try realm.write {
                realm.add(Book.Note(value: ["text": "before"]))
                realm.add(note)
                realm.create(Book.Country.self, value: ["code": "FR", "name": "France"])
                person.notes.append(note)
            }
            let draft = try realm.draft()
            try Book.person(in: draft.realm).home?.city = "Paris"
            try #require(
                draft.object(ofType: Book.Country.self, forPrimaryKey: "FR")
            ).name = "changed"
            try #require(draft.resolve(note)).text = "edited"
            draft.create(Book.Country.self, value: ["code": "DE", "name": "Germany"])
            let archive = try draft.archive()
            try withTemporaryRealm(Book.all) { other in
                try other.write {
                    other.create(Book.Country.self, value: ["code": "IT", "name": "Italy"])
                    other.create(Book.Country.self, value: ["code": "FR", "name": "France"])
                    other.create(Book.Note.self, value: ["text": "another"])
                    other.create(Book.Note.self, value: ["text": "known"])
                    let person = other.create(Book.Person.self, value: ["id": 1])
                    person.home = Book.Address(value: ["street": "x", "city": "London"])
                }
                let restored = try Draft(restoring: archive, in: other)
                try restored.save()
                #expect(try Book.person(in: other).home?.city == "Paris")
                #expect(try Book.person(in: other).home?.street == "x")
                let names = Array(other.objects(Book.Country.self).sorted(by: \.code).map(\.name))
                #expect(names == ["Germany", "changed", "Italy"])
                #expect(Set(other.objects(Book.Note.self).map(\.text)) == ["another", "edited"])
            }
        }
    }

    @Test func encrypted() throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let key = Data((0..<64).map { UInt8($0) })
        let realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: directory.file(), encryptionKey: key, objectTypes: Book.all))
        try realm.write { realm.create(Book.Person.self, value: ["id": 1, "name": "Ada"]) }
        let draft = try realm.draft()
        try Book.person(in: draft.realm).name = "confidential"
        let archive = try draft.archive()
        #expect(archive.range(of: Data("confidential".utf8)) == nil)
        #expect(archive.range(of: Data("Book_Person".utf8)) == nil)
        #expect(
            try Book.person(in: Draft(restoring: archive, in: realm).realm).name == "confidential")
        for index in stride(from: 0, to: archive.count, by: 7) {
            var damaged = archive
            damaged[index] ^= 0x10
            #expect(throws: Realm.Error.self) { try Draft(restoring: damaged, in: realm) }
        }
        let copy = directory.file("copy")
        try realm.writeCopy(toFile: copy, encryption: .key(key))
        let other = try Realm(
            configuration: Realm.Configuration(
                fileURL: copy, encryptionKey: key, objectTypes: Book.all))
        let error = try #require(throws: Realm.Error.self) {
            try Draft(restoring: archive, in: other)
        }
        #expect(error.code == .invalidInput && error.message.contains("another file"))
        try Book.elsewhere(realm) { try Book.person(in: $0).name = "secret" }
        let conflict = try #require(throws: DraftConflict.self) { try draft.save() }
        #expect(!conflict.description.contains("secret"))
        #expect(!"\(conflict.localizedDescription)".contains("secret"))
    }

    // MARK: Wrong use

    @Test func onAnotherThread() throws {
        try Book.withPerson { realm, _ in
            let draft = try realm.draft()
            let archive = try draft.archive()
            nonisolated(unsafe) let (sentDraft, sentRealm) = (draft, realm)
            try onNewThread {
                #expect(throws: ConfinementViolation.self) { try sentDraft.archive() }
                #expect(throws: ConfinementViolation.self) {
                    try Draft(restoring: archive, in: sentRealm)
                }
            }
        }
    }

    @Test func discardedDraft() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try Book.withPerson { realm, _ in
                let draft = try realm.draft()
                draft.discard()
                _ = try draft.archive()
            }
        }
        expectMessage(result, "This draft has ended: it was discarded or invalidated.")
    }

    // MARK: Bad input

    @Test func noArchive() throws {
        try Book.withPerson { realm, _ in
            for data in [Data(), Data("FHDRAF".utf8), Data("{}".utf8), Data(count: 1_000)] {
                let error = try #require(throws: Realm.Error.self) {
                    try Draft(restoring: data, in: realm)
                }
                #expect(error.code == .invalidInput)
            }
        }
    }

    /// Each byte changed, and each beginning: an error, never a draft.
    @Test func damage() throws {
        try Book.withPerson { realm, _ in
            let draft = try realm.draft()
            try Book.person(in: draft.realm).name = "Eve"
            let archive = try draft.archive()
            for index in archive.indices {
                var damaged = archive
                damaged[index] ^= UInt8(1 << (index % 8))
                let error = try #require(throws: Realm.Error.self) {
                    try Draft(restoring: damaged, in: realm)
                }
                #expect(error.code == .corrupted || error.code == .invalidInput)
                #expect(throws: Realm.Error.self) {
                    try Draft(restoring: archive.prefix(index), in: realm)
                }
            }
            #expect(throws: Realm.Error.self) {
                try Draft(restoring: archive + Data([0]), in: realm)
            }
        }
    }
}
