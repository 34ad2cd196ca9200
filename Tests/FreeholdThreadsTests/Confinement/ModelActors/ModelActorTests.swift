import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Actors that own a realm.
@Suite struct ModelActorTests {
    typealias Person = Fixture.Person
    typealias Dog = Fixture.Dog

    private actor Register: ModelActor {
        let modelExecutor: ModelExecutor
        private var kept: Person?

        init(_ configuration: Realm.Configuration) { modelExecutor = ModelExecutor(configuration) }
        init(sharing other: Register) { modelExecutor = other.modelExecutor }

        /// Keeps a live object across the awaits.
        func rename(_ id: Int, _ names: [String]) async throws -> String? {
            kept = try fetch(Person.self, where: { $0.id == id }).first
            let realm = try realm
            for name in names {
                await Task.yield()
                try await realm.asyncWrite { kept?.name = name }
            }
            return kept?.name
        }

        func adults(_ age: Int) throws -> [String] {
            try fetch(
                Person.self, where: { $0.age >= age },
                sortedBy: [SortDescriptor(keyPath: \Person.age, ascending: false)], offset: 1,
                limit: 2
            ).map(\.name)
        }

        func addThroughRealm(_ id: Int) throws {
            let realm = try realm
            try realm.write { realm.add(Person(id: id)) }
        }
    }

    /// As short as it gets.
    private actor Plain: ModelActor { let modelExecutor = ModelExecutor() }

    private func withRegister(_ body: (Register, Realm.Configuration) async throws -> Void)
        async throws
    {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let register = Register(configuration)
        try await body(register, configuration)
        let problems = try await register.withRealm { try $0.check() }
        #expect(problems.isEmpty, "The file is kept at \(directory.url.path).")
        if problems.isEmpty { directory.delete() }
    }

    @Test func insertingAndReading() async throws {
        try await withRegister { register, _ in
            try await register.insert(Person(id: 1, name: "Ada", age: 36))
            try await register.insert(
                contentsOf: (2...5).map { Person(id: $0, name: "number \($0)", age: $0 * 10) })
            try await register.insert(
                Person(id: 1, name: "Ada Lovelace", age: 36), update: .modified)
            #expect(try await register.count(Person.self) == 5)
            #expect(try await register.count(Person.self, where: { $0.age > 30 }) == 3)
            let byAge = [SortDescriptor(keyPath: \Person.age, ascending: false)]
            #expect(
                try await register.fetch(Person.self, sortedBy: byAge) { $0.id } == [5, 4, 1, 3, 2])
            #expect(
                try await register.fetch(Person.self, sortedBy: byAge, offset: 1, limit: 2) {
                    $0.id
                } == [4, 1])
            #expect(
                try await register.fetch(Person.self, where: { $0.name == "Ada Lovelace" }) {
                    $0.age
                } == [36])
            #expect(try await register.fetch(Person.self, offset: 9) { $0.age } == [])
            // A trailing closure is the transform, also if it could be a query.
            let areOld: [Bool] = try await register.fetch(Person.self) { $0.age > 40 }
            #expect(areOld == [false, false, false, false, true])
            #expect(try await register.adults(30) == ["number 4", "Ada Lovelace"])
            #expect(try await register.withRealm { $0.objects(Person.self).sum(of: \.age) } == 176)
        }
    }

    @Test func liveObjectsStayValidInTheActor() async throws {
        try await withRegister { register, _ in
            try await register.insert(Person(id: 1))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 2..<50 { group.addTask { try await register.insert(Person(id: id)) } }
                group.addTask {
                    let last = try await register.rename(1, (0..<50).map { "name \($0)" })
                    #expect(last == "name 49")
                }
                try await group.waitForAll()
            }
            #expect(
                try await register.fetch(Person.self, where: { $0.id == 1 }) { $0.name } == [
                    "name 49"
                ])
        }
    }

    @Test func insertIfAbsentInsertsOneOfManyCallers() async throws {
        try await withRegister { register, configuration in
            let other = Register(sharing: register)
            // Another realm of the same file, which the lock keeps apart.
            let rival = Register(configuration)
            let inserted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for attempt in 0..<300 {
                    let actor = [register, other, rival][attempt % 3]
                    group.addTask {
                        let name = "key \(attempt % 20)"
                        return try await actor.insertIfAbsent(Dog(name: name)) { $0.name == name }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(inserted == 20)
            for key in 0..<20 {
                let name = "key \(key)"
                #expect(try await register.count(Dog.self, where: { $0.name == name }) == 1)
            }
        }
    }

    @Test func removing() async throws {
        try await withRegister { register, _ in
            try await register.insert(contentsOf: (0..<30).map { Person(id: $0, age: $0) })
            #expect(try await register.remove(Person.self, where: { $0.age >= 10 }) == 20)
            #expect(try await register.remove(Person.self, where: { $0.age >= 10 }) == 0)
            #expect(try await register.count(Person.self) == 10)
        }
    }

    @Test func transactionsAreAtomic() async throws {
        try await withRegister { register, _ in
            try await register.insert(Person(id: 0, age: 0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await register.transaction { realm in
                            let person = try #require(
                                realm.object(ofType: Person.self, forPrimaryKey: 0))
                            person.age += 1
                        }
                    }
                }
                try await group.waitForAll()
            }
            await #expect(throws: CocoaError.self) {
                try await register.transaction { realm in
                    realm.add(Person(id: 9))
                    throw CocoaError(.featureUnsupported)
                }
            }
            #expect(try await register.fetch(Person.self) { $0.age } == [100])
            #expect(try await register.transaction { $0.objects(Person.self).count } == 1)
        }
    }

    @Test func readingSeesWhatOthersWrote() async throws {
        try await withRegister { register, configuration in
            #expect(try await register.count(Person.self) == 0)
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Person(id: 1)) }
            }
            #expect(try await register.count(Person.self) == 1)
            let other = Register(sharing: register)
            try await other.addThroughRealm(2)
            #expect(try await register.fetch(Person.self) { $0.id } == [1, 2])
        }
    }

    @Test func aReadOnlyRealmIsRead() async throws {
        try await withRegister { register, configuration in
            try await register.insert(Person(id: 1))
            let copy = try #require(configuration.fileURL).deletingLastPathComponent()
                .appendingPathComponent("readonly.realm")
            try onNewThread {
                try onlyPerson(in: Realm.Configuration(fileURL: copy, objectTypes: Fixture.all))
            }
            let reader = Register(
                Realm.Configuration(fileURL: copy, readOnly: true, objectTypes: Fixture.all))
            #expect(try await reader.fetch(Person.self) { $0.name } == ["only"])
        }
    }

    @Test func aTaskThatIsCancelledBeforeItsGrantWritesNothing() async throws {
        try await withRegister { register, configuration in
            let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            _ = try await register.count(Person.self)
            let writer = Task {
                try await Realm.performBackgroundTask(configuration: configuration) { realm in
                    try realm.write {
                        isHeld.signal()
                        mayEnd.wait()
                    }
                }
            }
            await wait(for: isHeld)
            let cancelled = Task { try await register.insert(Person(id: 1)) }
            let kept = Task { try await register.insertIfAbsent(Person(id: 2)) { $0.id == 2 } }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            mayEnd.signal()
            try await writer.value
            #expect(try await kept.value)
            #expect(try await register.fetch(Person.self) { $0.id } == [2])
        }
    }

    @Test func anErrorOfOpeningIsThrownEachTime() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let register = Register(
            Realm.Configuration(
                fileURL: directory.file("missing/test.realm"), readOnly: true,
                objectTypes: Fixture.all))
        for _ in 0..<2 {
            await #expect(throws: Realm.Error.self) { try await register.count(Person.self) }
            await #expect(throws: Realm.Error.self) { try await register.insert(Person(id: 1)) }
        }
    }

    @Test func theDefaultIsTheDefaultConfiguration() {
        #expect(Plain().modelExecutor.configuration == Realm.Configuration.defaultConfiguration)
    }

    @Test func theReportOfAWrongThreadNamesTheActor() async throws {
        try await withRegister { register, _ in
            try await register.insert(Person(id: 1))
            let realm = try await register.withRealm { Smuggled(value: $0) }
            let violation = try #require(
                try onNewThread { () -> ConfinementViolation? in
                    do { try realm.value.write {} } catch { return error as? ConfinementViolation }
                    return nil
                })
            #expect(
                violation.remedy.contains("the actor 'Register', which the executor 'model' runs"))
            #expect(violation.opened.file == "FreeholdThreadsTests/ModelActorTests.swift")
        }
    }
}

private func onlyPerson(in configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Fixture.Person(id: 1, name: "only")) }
}
