import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// Saving that fails: nothing is lost, and the draft is saved once the cause is gone.
@Suite struct DraftFailureTests {
    private func code(_ body: () throws -> Void) -> Realm.Error.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? Realm.Error)?.code
        }
    }

    @Test(arguments: [false, true]) func aFullDisk(isMerging: Bool) async {
        await #expect(processExitsWith: .success) { [isMerging = isMerging as Bool] in
            try withTemporaryDirectory { directory in
                let configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Book.all)
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.create(Book.Person.self, value: ["id": 0]) }
                let draft = try realm.draft()
                for id in 1...50 {
                    draft.create(
                        Book.Person.self,
                        value: ["id": id, "name": String(repeating: "x", count: 100_000)])
                }
                if isMerging { try realm.write { try Book.person(0, in: realm).age = 7 } }
                var limit = rlimit()
                let resource = __rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue))
                try requireZero(getrlimit(resource, &limit))
                limit.rlim_cur = 1_000_000
                signal(SIGXFSZ, SIG_IGN)
                try requireZero(setrlimit(resource, &limit))
                do {
                    try draft.save()
                    Issue.record("The file cannot grow.")
                } catch {
                    try #require((error as? Realm.Error)?.code == .outOfDiskSpace)
                }
                realm.refresh()
                try #require(realm.objects(Book.Person.self).count == 1)
                try #require(draft.objects(Book.Person.self).count == 51 && draft.hasChanges)
                limit.rlim_cur = limit.rlim_max
                try requireZero(setrlimit(resource, &limit))
                try draft.save()
                try #require(realm.objects(Book.Person.self).count == 51)
                try #require(try Book.person(0, in: realm).age == (isMerging ? 7 : 0))
                try #require(try realm.check().isEmpty)
            }
        }
    }

    @Test func aValueThatIsTooLarge() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.age = 5
            edited.name = String(repeating: "x", count: 17_000_000)
            #expect(code { try draft.save() } == .valueTooLarge)
            #expect(edited.age == 5 && edited.name.utf8.count == 17_000_000)
            edited.name = "Eve"
            try draft.save()
            #expect(person.name == "Eve" && person.age == 5)
        }
    }

    @Test func aLockThatOthersKeep() throws {
        try withTemporaryDirectory { directory in
            var configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Book.all)
            configuration.writeTimeout = .milliseconds(20)
            let realm = try Realm(configuration: configuration)
            let draft = try realm.draft()
            draft.create(Book.Person.self, value: ["id": 1])
            try whileAnotherThreadWrites(configuration) {
                #expect(code { try draft.save() } == .writeLockTimeout)
                #expect(draft.hasChanges && draft.objects(Book.Person.self).count == 1)
            }
            try draft.save()
            #expect(realm.objects(Book.Person.self).count == 1)
            #expect(try realm.check().isEmpty)
        }
    }

    @Test func tooManyVersions() throws {
        try withTemporaryDirectory { directory in
            var configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Book.all)
            configuration.maximumNumberOfActiveVersions = 1
            let realm = try Realm(configuration: configuration)
            let draft = try realm.draft()
            draft.create(Book.Person.self, value: ["id": 1])
            var frozen: Realm? = realm.freeze()
            #expect(frozen?.isFrozen == true)
            try realm.write { realm.create(Book.Note.self) }
            #expect(code { try draft.save() } == .tooManyReaders)
            #expect(draft.hasChanges && draft.objects(Book.Person.self).count == 1)
            frozen = nil
            try draft.save()
            realm.refresh()
            #expect(realm.objects(Book.Person.self).count == 1)
            // A save that merges gives up the version that the draft was based on.
            draft.create(Book.Person.self, value: ["id": 2])
            try realm.write { realm.create(Book.Note.self) }
            try draft.save()
            #expect(realm.objects(Book.Person.self).count == 2)
        }
    }

    @Test func aFileThatWasCompacted() throws {
        try Book.withPerson { realm, person in
            let draft = try realm.draft()
            let edited = try #require(draft.resolve(person))
            edited.name = "Eve"
            let note = draft.create(Book.Note.self, value: ["text": "new"])
            try realm.compact()
            #expect(edited.name == "Eve" && edited.tags.count == 3)
            try draft.save()
            #expect(person.name == "Eve" && note.text == "new")
            edited.age = 1
            try realm.compact()
            try realm.write { person.nickname = "E" }
            try draft.rebase()
            #expect(edited.nickname == "E" && edited.age == 1)
            try realm.compact()
            try draft.save()
            #expect(person.age == 1)
        }
    }

    /// Another process has removed a property meanwhile.
    @Test func aFileThatWasMigrated() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file().path
        let (isOpen, isMigrated) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let codes: [Realm.Error.Code?] = awaitThread {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: [MigratedBook.Before.self]))
            let draft = try realm.draft()
            let note = draft.create(MigratedBook.Before.self, value: ["text": "mine"])
            isOpen.signal()
            isMigrated.wait()
            let codes = [
                code { try draft.save() }, code { try draft.rebase() },
                code { _ = try draft.conflicts },
            ]
            #expect(note.text == "mine" && draft.hasChanges)
            return codes
        }
        await wait(for: isOpen)
        let child = await ChildThatWaits.turn()
        await #expect(processExitsWith: .success) { [path = path as String] in
            _ = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), schemaVersion: 1,
                    objectTypes: [MigratedBook.After.self]))
        }
        child.end()
        isMigrated.signal()
        #expect(try await codes == [.schemaMismatch, .schemaMismatch, .schemaMismatch])
        directory.delete()
    }

    @Test func aReadOnlyRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryDirectory { directory in
                var configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Book.all)
                do { _ = try Realm(configuration: configuration) }
                configuration.readOnly = true
                _ = try Realm(configuration: configuration).draft()
            }
        }
        expectMessage(result, "read-only")
    }

    /// A process that is killed while it saves leaves each save whole or not at all.
    @Test func kills() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: Book.all)
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write {
                for id in 1...300 { realm.create(Book.Person.self, value: ["id": id]) }
            }
        }
        let path = directory.file().path
        for round in 0..<Stress.rounds(2) {
            let child = await ChildThatWaits.turn()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, round = round as Int] in
                let configuration = Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: Book.all)
                startThread {
                    usleep(UInt32(20_000 + round * 17_000))
                    kill(getpid(), SIGKILL)
                }
                try onNewThread {
                    let realm = try Realm(configuration: configuration)
                    let draft = try realm.draft()
                    let people = Array(draft.objects(Book.Person.self))
                    for number in 0... {
                        // Every second save merges.
                        if number % 2 == 0 {
                            try realm.write { try Book.person(1, in: realm).nickname = "\(number)" }
                        }
                        for person in people { person.age += 1 }
                        try draft.save()
                    }
                }
            }
            child.end()
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                #expect(Set(realm.objects(Book.Person.self).map(\.age)).count == 1)
                #expect(try realm.check().isEmpty)
            }
        }
        directory.delete()
    }
}

/// Two versions of a class.
enum MigratedBook {
    class Before: Object {
        @Persisted var text: String
        @Persisted var more: Int
        override class func className() -> String { "MigratedNote" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class After: Object {
        @Persisted var text: String
        override class func className() -> String { "MigratedNote" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
