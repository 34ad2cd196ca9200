import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// Steps of undo around transactions, and undoing, that fail.
@Suite struct TransactionUndoFailureTests {
    /// More than a value can have: a commit refuses it.
    private static let tooLong = String(repeating: "x", count: 17_000_000)

    private func code(_ body: () throws -> Void) -> Realm.Error.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? Realm.Error)?.code
        }
    }

    private func withScheduledPerson(
        _ body: (Realm, Book.Person, ManualScheduler) throws -> Void
    ) throws {
        try Book.withPerson { realm, _ in
            let scheduler = ManualScheduler()
            let stepped = try Realm(configuration: realm.configuration, scheduler: scheduler)
            // Room for what is lost.
            stepped.undoManager.byteLimit = 1 << 30
            try body(stepped, try Book.person(in: stepped), scheduler)
            finish(stepped, scheduler)
        }
    }

    private func finish(_ realm: Realm, _ scheduler: ManualScheduler) {
        while realm.isPerformingAsynchronousWriteOperations {
            scheduler.waitForWork()
            scheduler.runAll()
        }
    }

    /// Begins a write that is lost when it is written to the disk.
    private func loseWrite(_ realm: Realm, _ person: Book.Person) {
        realm.writeAsync {
            person.name = Self.tooLong
        } onComplete: {
            #expect(($0 as? Realm.Error)?.code == .valueTooLarge)
        }
    }

    // MARK: Asynchronous writes

    @Test func aGroupForgetsTheLostPartAlone() throws {
        try withScheduledPerson { realm, person, scheduler in
            let undo = realm.undoManager
            undo.isRecording = true
            try undo.group("Group") {
                try realm.write { person.age = 1 }
                loseWrite(realm, person)
                finish(realm, scheduler)
                #expect(person.name == "Ada")
                try realm.write { person.nickname = "A" }
            }
            #expect(undo.undoNames == ["Group"])
            try undo.undo()
            #expect(person.age == 36 && person.nickname == nil && person.name == "Ada")
            try undo.redo()
            #expect(person.age == 1 && person.nickname == "A" && person.name == "Ada")
        }
    }

    /// A group that has ended when its last part is lost.
    @Test func anEndedGroupForgetsTheLostPartAlone() throws {
        try withScheduledPerson { realm, person, scheduler in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { person.scores.insert(1) }
            try undo.group("Group") {
                try realm.write { person.age = 1 }
                loseWrite(realm, person)
                scheduler.waitForWork()
                scheduler.runAll()
            }
            finish(realm, scheduler)
            #expect(undo.undoNames == [nil, "Group"] && person.name == "Ada")
            let bytes = undo.byteCount
            try undo.undo()
            #expect(person.age == 36 && person.scores.count == 1)
            try undo.redo()
            #expect(person.age == 1 && undo.byteCount == bytes)
        }
    }

    @Test func stepsOfLostWritesAreGone() throws {
        try withScheduledPerson { realm, person, scheduler in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { person.age = 1 }
            loseWrite(realm, person)
            finish(realm, scheduler)
            #expect(undo.undoNames == [nil])
            undo.group("Lost") {
                loseWrite(realm, person)
                finish(realm, scheduler)
            }
            #expect(undo.undoNames == [nil])
            try undo.undo()
            #expect(person.age == 36 && !undo.canUndo && undo.redoNames.count == 1)
        }
    }

    /// A write that never was takes nothing from redo, and one that was does.
    @Test func lostWritesLeaveRedo() throws {
        try withScheduledPerson { realm, person, scheduler in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { person.age = 1 }
            try realm.write { person.age = 2 }
            try undo.undo()
            try undo.undo()
            let bytes = undo.byteCount
            loseWrite(realm, person)
            scheduler.waitForWork()
            scheduler.runAll()
            #expect(!undo.canRedo || person.name == "Ada")
            finish(realm, scheduler)
            #expect(undo.redoNames.count == 2 && !undo.canUndo && undo.byteCount == bytes)
            try undo.redo()
            #expect(person.age == 1 && undo.redoNames.count == 1)
            realm.writeAsync { person.nickname = "A" }
            finish(realm, scheduler)
            loseWrite(realm, person)
            finish(realm, scheduler)
            #expect(!undo.canRedo && undo.undoNames.count == 2)
        }
    }

    /// A draft is saved while the realm has not heard yet how its own write ended.
    @Test func draftsSavedMeanwhile() throws {
        try withScheduledPerson { realm, person, scheduler in
            let undo = realm.undoManager
            undo.isRecording = true
            let draft = try realm.draft()
            realm.writeAsync {
                undo.setActionName("Written")
                person.age = 1
            }
            scheduler.waitForWork()
            scheduler.runAll()
            try #require(draft.resolve(person)).nickname = "A"
            undo.setActionName("Draft")
            try draft.save()
            #expect(undo.undoNames == ["Written", "Draft"])
            finish(realm, scheduler)
            loseWrite(realm, person)
            finish(realm, scheduler)
            #expect(undo.undoNames == ["Written", "Draft"])
            try undo.undo()
            #expect(person.nickname == nil && person.age == 1)
            loseWrite(realm, person)
            finish(realm, scheduler)
            #expect(undo.undoNames == ["Written"])
            try undo.undo()
            #expect(person.age == 36 && person.name == "Ada")
        }
    }

    // MARK: Undoing that fails

    /// The file has no room for what would come back.
    @Test func aFullDisk() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryDirectory { directory in
                let realm = try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: Book.all))
                let long = String(repeating: "x", count: 100_000)
                try realm.write {
                    for id in 1...50 {
                        realm.create(Book.Person.self, value: ["id": id, "name": long])
                    }
                }
                let undo = realm.undoManager
                undo.isRecording = true
                let people = realm.objects(Book.Person.self)
                undo.setActionName("Shorten")
                try realm.write { for person in people { person.name = "" } }
                try realm.compact()
                var limit = rlimit()
                let resource = __rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue))
                try requireZero(getrlimit(resource, &limit))
                limit.rlim_cur = 1_000_000
                signal(SIGXFSZ, SIG_IGN)
                try requireZero(setrlimit(resource, &limit))
                for _ in 1...2 {
                    do {
                        try undo.undo()
                        Issue.record("The file cannot grow.")
                    } catch {
                        try #require((error as? Realm.Error)?.code == .outOfDiskSpace)
                    }
                    try #require(people.allSatisfy { $0.name == "" })
                    try #require(undo.undoNames == ["Shorten"] && !undo.canRedo)
                }
                limit.rlim_cur = limit.rlim_max
                try requireZero(setrlimit(resource, &limit))
                try undo.undo()
                try #require(people.allSatisfy { $0.name == long })
                try undo.redo()
                try #require(people.allSatisfy { $0.name == "" })
                try #require(undo.undoNames == ["Shorten"])
                try #require(try realm.check().isEmpty)
            }
        }
    }

    @Test func aLockThatOthersKeep() throws {
        try withTemporaryDirectory { directory in
            var configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Book.all)
            configuration.writeTimeout = .milliseconds(20)
            let realm = try Realm(configuration: configuration)
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { realm.create(Book.Note.self) }
            try realm.write { realm.create(Book.Note.self) }
            try undo.undo()
            try whileAnotherThreadWrites(configuration) {
                #expect(code { try undo.undo() } == .writeLockTimeout)
                #expect(code { try undo.redo() } == .writeLockTimeout)
                #expect(undo.canUndo && undo.canRedo)
                #expect(realm.objects(Book.Note.self).count == 1)
            }
            #expect(try undo.redo() && realm.objects(Book.Note.self).count == 2)
            #expect(try undo.undo() && undo.undo() && realm.objects(Book.Note.self).isEmpty)
            #expect(try realm.check().isEmpty)
        }
    }

    // MARK: Names

    /// A name is that of one transaction, whatever becomes of it.
    @Test func namesOfTransactionsThatAreNoSteps() throws {
        try Book.withPerson { realm, person in
            let undo = realm.undoManager
            undo.isRecording = true
            try realm.write { undo.setActionName("Nothing") }
            try realm.write { person.age = 1 }
            #expect(
                code {
                    try realm.write {
                        undo.setActionName("Lost")
                        person.name = Self.tooLong
                    }
                } == .valueTooLarge)
            try realm.write { person.age = 2 }
            #expect(undo.undoNames == [nil, nil])
            try undo.group {
                try realm.write {
                    undo.setActionName("Inner")
                    person.age = 3
                }
            }
            try realm.write { person.age = 4 }
            #expect(undo.undoNames == [nil, nil, "Inner", nil])
        }
    }
}
