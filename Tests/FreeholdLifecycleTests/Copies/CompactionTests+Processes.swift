import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

extension CompactionTests {
    // MARK: Other processes

    @Test func whileAnotherProcessHasTheFileItIsRefused() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let here = try onOtherThread(directory) { realm in try realm.write { World.fill(realm) } }
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            let realm = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
            #expect(realmCode { _ = try realm.compact() } == .alreadyOpen)
            #expect(
                realmMessage { _ = try realm.compact() }?.contains("another process has it open")
                    == true)
            // On launch it is skipped without a word.
            try onNewThread {
                var configuration = World.configuration(URL(fileURLWithPath: path))
                configuration.shouldCompactOnLaunch = { _, _ in true }
                _ = try Realm(configuration: configuration)
            }
            try realm.write { realm.add(Fixture.Person(id: 10_000)) }
        }
        try here.run { realm in
            realm.refresh()
            #expect(realm.objects(Fixture.Person.self).count == 301)
            // It is closed there.
            try realm.compact()
        }
        #expect(
            try files(in: directory) == ["test.realm", "test.realm-lock", "test.realm.control"])
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            let realm = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
            try #require(realm.objects(Fixture.Person.self).count == 301)
            try realm.write { realm.add(Fixture.Person(id: 10_001)) }
        }
        try here.run { realm in
            realm.refresh()
            #expect(realm.objects(Fixture.Person.self).count == 302)
            let problems = try realm.check()
            #expect(problems.isEmpty)
        }
        here.end()
    }

    // MARK: Ends

    /// If both records of the control file are damaged, a process that has the file open
    /// writes the newest one again.
    @Test func damagedControlRecordsAreMended() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let path = directory.file().path
        func tear() throws {
            let file = try #require(FileHandle(forWritingAtPath: path + ".control"))
            for offset: UInt64 in [64, 512 + 64] {
                try file.seek(toOffset: offset)
                try file.write(contentsOf: Data(repeating: 0, count: 64))
            }
            try file.close()
        }
        let here = try onOtherThread(directory) { realm in try realm.write { World.fill(realm) } }
        try tear()
        try here.run { realm in try realm.compact() }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let realm = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
            try #require(realm.objects(Fixture.Person.self).count == 300)
        }
        try tear()
        // The file grows.
        try here.run { realm in
            try realm.write { (1_000..<21_000).forEach { realm.add(Fixture.Person(id: $0)) } }
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let realm = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
            try #require(realm.objects(Fixture.Person.self).count == 20_300)
            try #require(try realm.check().isEmpty)
        }
        here.end()
    }

    /// What a process leaves on the disk that ends between the steps.
    @Test func whatIsLeftBetweenTheStepsIsOpened() throws {
        try withTemporaryDirectory { directory in
            let control = URL(fileURLWithPath: directory.file().path + ".control")
            let lock = URL(fileURLWithPath: directory.file().path + "-lock")
            let configuration = World.configuration(directory.file())
            let content = try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { World.fill(realm, people: 20_000) }
                try realm.write {
                    realm.delete(realm.objects(Fixture.Person.self).where { $0.age >= 100 })
                }
                return World.content(realm)
            }
            let oldControl = try Data(contentsOf: control)
            let oldFile = try Data(contentsOf: directory.file())
            try onNewThread { _ = try Realm(configuration: configuration).compact() }
            let newFile = try Data(contentsOf: directory.file())
            let newControl = try Data(contentsOf: control)
            #expect(newFile.count < oldFile.count / 2)
            // The file that has the name, what the control file says, and whether the other one
            // was written and not named.
            for (file, record, leftover) in [
                (oldFile, oldControl, newFile), (newFile, oldControl, nil),
                (oldFile, newControl, newFile), (newFile, Data(), oldFile),
            ] {
                try file.write(to: directory.file())
                if record.isEmpty {
                    try FileManager.default.removeItem(at: control)
                } else {
                    try record.write(to: control)
                }
                try? FileManager.default.removeItem(at: lock)
                if let leftover {
                    try leftover.prefix(leftover.count / 2).write(
                        to: directory.file("test.realm.compacting"))
                    try Data(repeating: 1, count: 5000).write(
                        to: directory.file("test.realm.compacting-lock"))
                }
                try onNewThread {
                    let realm = try Realm(configuration: configuration)
                    expectSame(World.content(realm), content)
                    #expect(try realm.check().isEmpty)
                    try realm.write { realm.add(Fixture.Person(id: 90_000)) }
                    try realm.compact()
                    #expect(realm.objects(Fixture.Person.self).count == 101)
                }
                #expect(
                    try files(in: directory) == [
                        "test.realm", "test.realm-lock", "test.realm.control",
                    ])
            }
        }
    }

    /// A process that writes and compacts is killed again and again. The file is the old or the
    /// new one, with all that was acknowledged.
    @Test func killedAtAnyMoment() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let rounds = Stress.rounds(3)
        var acknowledged = 0
        var random = Seed.random()
        for _ in 0..<rounds {
            let spins = random.int(0...60_000)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = directory.file().path as String, spins = spins as Int] in
                let realm = try Realm(
                    configuration: World.configuration(URL(fileURLWithPath: path)))
                let log = open(path + ".log", O_WRONLY | O_CREAT | O_APPEND, 0o644)
                var number = realm.objects(Fixture.Person.self).max(of: \.id) ?? 0
                startThread {
                    for _ in 0..<spins { sched_yield() }
                    kill(getpid(), SIGKILL)
                }
                while true {
                    number += 1
                    try realm.write {
                        realm.add(
                            Fixture.Person(
                                id: number,
                                name: String(repeating: "\(number) ", count: number % 500)))
                        if number % 3 == 0 {
                            realm.delete(
                                realm.objects(Fixture.Person.self).where { $0.id == number - 1 })
                        }
                    }
                    precondition(write(log, "x", 1) == 1)
                    try realm.compact()
                }
            }
            let count = (try? byteCount(URL(fileURLWithPath: directory.file().path + ".log"))) ?? 0
            try onNewThread {
                let realm = try Realm(configuration: World.configuration(directory.file()))
                #expect(try realm.check().isEmpty)
                let last = realm.objects(Fixture.Person.self).max(of: \.id) ?? 0
                // Each process may have committed one more than it came to say.
                #expect(last >= count && last <= count + rounds)
                for id in 1...max(last, 1) where last > 0 {
                    let isDeleted = (id + 1) % 3 == 0 && id + 1 <= last
                    #expect(
                        (realm.object(ofType: Fixture.Person.self, forPrimaryKey: id) == nil)
                            == isDeleted)
                }
            }
            #expect(try files(in: directory).filter { $0.contains("compacting") }.isEmpty)
            acknowledged = count
        }
        print("killedAtAnyMoment: \(acknowledged) acknowledged")
    }

    @Test(.enabled(if: geteuid() == 0)) func aFullDiskIsAnErrorAndTheFileIsAsItWas() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try await withSmallDisk(directory, "size=8m") { mount in
            await #expect(processExitsWith: .success) { [path = (mount + "/a.realm") as String] in
                let url = URL(fileURLWithPath: path)
                let realm = try Realm(configuration: World.configuration(url))
                // Five of eight megabytes in use: two copies do not fit.
                try realm.write {
                    for id in 0..<500 {
                        realm.add(
                            Fixture.Tagged(tag: "\(id)" + String(repeating: "x", count: 10_000)))
                    }
                }
                let content = World.content(realm)
                let size = try byteCount(url)
                #expect(realmCode { _ = try realm.compact() } == .outOfDiskSpace)
                #expect(
                    realmCode { try realm.writeCopy(toFile: URL(fileURLWithPath: path + "2")) }
                        == .outOfDiskSpace)
                #expect(try byteCount(url) == size)
                #expect(
                    try FileManager.default.contentsOfDirectory(
                        atPath: url.deletingLastPathComponent().path
                    ).sorted() == ["a.realm", "a.realm-lock", "a.realm.control"])
                #expect(World.content(realm) == content)
                try realm.write { realm.add(Fixture.Person(id: 1)) }
                try realm.write { realm.delete(realm.objects(Fixture.Tagged.self)) }
                #expect(try realm.compact() > 4 << 20)
                #expect(try realm.check().isEmpty)
            }
            // On launch, too.
            await #expect(processExitsWith: .success) { [path = (mount + "/a.realm") as String] in
                var configuration = World.configuration(URL(fileURLWithPath: path))
                do {
                    let realm = try Realm(configuration: configuration)
                    try realm.write {
                        for id in 0..<500 {
                            realm.add(
                                Fixture.Tagged(tag: "\(id)" + String(repeating: "x", count: 10_000))
                            )
                        }
                    }
                }
                configuration.shouldCompactOnLaunch = { _, _ in true }
                #expect(
                    realmCode { _ = try Realm(configuration: configuration) } == .outOfDiskSpace)
                configuration.shouldCompactOnLaunch = nil
                let realm = try Realm(configuration: configuration)
                #expect(realm.objects(Fixture.Tagged.self).count == 500)
                #expect(try realm.check().isEmpty)
            }
        }
    }
}
