import Foundation
import Freehold
import FreeholdSharing
import FreeholdStorage
import Synchronization
import Testing

/// Programs with a higher schema version open a shared realm.
@Suite(.timeLimit(.minutes(10))) struct SharedMigrationTests {
    @Test func runsOnceForAllMachines() async throws {
        let shop = try await NoteShop()
        let (one, two) = (try await shop.open("one", 1), try await shop.open("two", 1))
        let ids = try one.addNotes(3)
        try await one.synchronize()
        try await two.synchronize()
        await one.close()
        await two.close()
        // Written offline, by the former program.
        try shop.write("two", 1) { realm in
            let note = realm.object(ofType: NoteOfVersion1.self, forPrimaryKey: ids[1])
            note?.text = "from two"
        }
        let newOne = try await shop.open("one", 2)
        #expect(try newOne.notes() == ["t0 10 o0", "t1 11 o1", "t2 12 o2", "made  "])
        let newTwo = try await shop.open("two", 2)
        try await newTwo.synchronize()
        try await newOne.synchronize()
        #expect(try newOne.notes() == ["from two 11 o1", "t0 10 o0", "t2 12 o2", "made  "])
        #expect(try newTwo.notes() == newOne.notes())
        #expect(shop.runs.withLock { $0 } == 1)
        await newOne.close()
        await newTwo.close()
        // A file that begins now.
        let three = try await shop.open("three", 2)
        try await three.synchronize()
        #expect(try three.notes().count == 4)
        #expect(shop.runs.withLock { $0 } == 1)
        await three.close()
        shop.check("one", "two", "three")
    }

    /// Its file stays as it is, and what it writes is kept until it is updated.
    @Test func theFormerProgramGoesOnForItself() async throws {
        let shop = try await NoteShop()
        let (one, two) = (try await shop.open("one", 1), try await shop.open("two", 1))
        let ids = try one.addNotes(3)
        try await one.synchronize()
        try await two.synchronize()
        await one.close()
        let newOne = try await shop.open("one", 2)
        try two.write { realm in
            let notes = realm.objects(NoteOfVersion1.self).sorted(byKeyPath: "text")
            (notes[0].text, notes[1].rank) = ("kept", 99)
            // Renamed meanwhile.
            notes[2].old = "lost"
        }
        let error = await #expect(throws: SharingError.self) { try await two.synchronize() }
        #expect(error?.code == .unsupportedVersion)
        #expect(error?.description.contains("Update this program") == true)
        #expect(two.status.pending == 1)
        #expect(try two.read { $0.objects(NoteOfVersion1.self).where { $0.rank == 99 }.count } == 1)
        await two.close()
        // Also from the beginning, and a new file.
        let again = try await shop.open("two", 1)
        #expect(try again.read { $0.objects(NoteOfVersion1.self).count } == 3)
        await again.close()
        let refused = await #expect(throws: SharingError.self) {
            try await shop.open("new", 1).close()
        }
        #expect(refused?.code == .unsupportedVersion)
        #expect(!shop.exists("new"))

        let newTwo = try await shop.open("two", 2)
        try await newTwo.synchronize()
        try await newOne.synchronize()
        #expect(try newOne.notes() == ["kept 10 o0", "t1 11 o1", "t2 12 o2", "made  "])
        #expect(try newTwo.notes() == newOne.notes())
        var rejections = newTwo.rejections.makeAsyncIterator()
        for (id, values) in [
            (ids[2], ["old": DraftValue.string("lost")]), (ids[1], ["rank": .int(99)]),
        ] {
            let rejection = try #require(try await rejections.next())
            #expect(rejection.reason == .doesNotFit)
            #expect("\(rejection)".contains("\(id)"))
            #expect(rejection.changes.map(\.values) == [values])
        }
        for shared in [newOne, newTwo] {
            let catalog = try shared.read { try $0.sharedStore.newestSnapshot().catalog }
            #expect(catalog["Note"]?["title"] != nil && catalog["Note"]?["old"] == nil)
        }
        await newOne.close()
        await newTwo.close()
        shop.check("one", "two")
    }

    /// A property of an embedded class is renamed while another machine has changes of it pending:
    /// the rest of the embedded objects stays.
    @Test func pendingEmbeddedObjectsLoseTheRenamedPropertyAlone() async throws {
        let shop = try await NoteShop()
        let (one, two) = (try await shop.open("one", 1), try await shop.open("two", 1))
        let id = try one.addNotes(1)[0]
        try one.write { realm in
            let note = realm.object(ofType: NoteOfVersion1.self, forPrimaryKey: id)
            note?.boxes.append(BoxOfVersion1(value: ["width": 1, "depth": 2]))
        }
        try await one.synchronize()
        try await two.synchronize()
        await one.close()
        let newOne = try await shop.open("one", 2)
        try two.write { realm in
            let note = realm.object(ofType: NoteOfVersion1.self, forPrimaryKey: id)
            note?.box = BoxOfVersion1(value: ["width": 3, "depth": 4])
            note?.boxes.append(BoxOfVersion1(value: ["width": 5, "depth": 6]))
            note?.boxes.append(BoxOfVersion1(value: ["width": 7]))
        }
        await two.close()
        let newTwo = try await shop.open("two", 2)
        try await newTwo.synchronize()
        try await newOne.synchronize()
        for shared in [newOne, newTwo] {
            try shared.read { realm in
                let found = realm.object(ofType: NoteOfVersion2.self, forPrimaryKey: id)
                let note = try #require(found)
                #expect(note.box?.width == 3 && note.box?.length == 0)
                #expect(note.boxes.map { [$0.width, $0.length] } == [[1, 2], [5, 0], [7, 0]])
                let box = try realm.sharedStore.newestSnapshot().catalog["Box"]
                #expect(box?["length"] != nil && box?["depth"] == nil)
            }
        }
        var rejections = newTwo.rejections.makeAsyncIterator()
        let rejection = try #require(try await rejections.next())
        #expect(rejection.reason == .doesNotFit)
        #expect(rejection.changes.first?.values.keys.sorted() == ["box", "boxes"])
        await newOne.close()
        await newTwo.close()
        shop.check("one", "two")
    }

    enum BoxWrite: CaseIterable {
        case removeFirst, widenFirst, widenBox, append
    }

    /// The same where the embedded objects were there: a change that has to do with the renamed
    /// property is left out as a whole, and takes nothing away.
    @Test(arguments: BoxWrite.allCases)
    func pendingChangesOfEmbeddedObjectsTakeNothingAway(write: BoxWrite) async throws {
        let shop = try await NoteShop()
        let (one, two) = (try await shop.open("one", 1), try await shop.open("two", 1))
        let id = try one.addNotes(1)[0]
        try one.write { realm in
            let note = realm.object(ofType: NoteOfVersion1.self, forPrimaryKey: id)
            note?.boxes.append(BoxOfVersion1(value: ["width": 1, "depth": 2]))
            note?.boxes.append(BoxOfVersion1(value: ["width": 1]))
            note?.box = BoxOfVersion1(value: ["width": 3, "depth": 4])
        }
        try await one.synchronize()
        try await two.synchronize()
        await one.close()
        let newOne = try await shop.open("one", 2)
        try two.write { realm in
            let note = realm.object(ofType: NoteOfVersion1.self, forPrimaryKey: id)
            switch write {
            case .removeFirst: note?.boxes.remove(at: 0)
            case .widenFirst: note?.boxes[0].width = 9
            case .widenBox: note?.box?.width = 9
            case .append: note?.boxes.append(BoxOfVersion1(value: ["width": 7]))
            }
        }
        await two.close()
        let newTwo = try await shop.open("two", 2)
        try await newTwo.synchronize()
        try await newOne.synchronize()
        for shared in [newOne, newTwo] {
            try shared.read { realm in
                let found = realm.object(ofType: NoteOfVersion2.self, forPrimaryKey: id)
                let note = try #require(found)
                #expect(note.box?.width == 3 && note.box?.length == 4)
                let boxes: [[Int]] = Array(note.boxes).map { [$0.width, $0.length] }
                #expect(boxes == [[1, 2], [1, 0]] + (write == .append ? [[7, 0]] : []))
                let snapshot = try realm.sharedStore.newestSnapshot()
                let table = try #require(snapshot.catalog["Freehold.Sharing.Rejections"])
                let isTold = shared === newTwo && write != .append
                #expect(snapshot.table(table.id).count == (isTold ? 1 : 0))
            }
        }
        await newOne.close()
        await newTwo.close()
        shop.check("one", "two")
    }

    @Test func twoMachinesAtOnce() async throws {
        let shop = try await NoteShop()
        for name in ["one", "two"] {
            let shared = try await shop.open(name, 1)
            try shared.addNotes(2)
            try await shared.synchronize()
            await shared.close()
        }
        async let first = shop.open("one", 2)
        async let second = shop.open("two", 2)
        let (one, two) = (try await first, try await second)
        try await one.synchronize()
        try await two.synchronize()
        #expect(try one.notes().count == 5, "One of them made an object.")
        #expect(try one.notes() == two.notes())
        await one.close()
        await two.close()
        shop.check("one", "two")
    }

    @Test func commitsOfOthersMeanwhile() async throws {
        let shop = try await NoteShop()
        let (one, two) = (try await shop.open("one", 1), try await shop.open("two", 1))
        try one.addNotes(1)
        try await one.synchronize()
        try await two.synchronize()
        await one.close()
        shop.whileMigratingFirst {
            try two.addNotes(1, from: 5)
            try await two.synchronize()
        }
        let newOne = try await shop.open("one", 2)
        #expect(shop.runs.withLock { $0 } == 2)
        #expect(try newOne.notes() == ["t0 10 o0", "t5 15 o5", "made  "])
        await newOne.close()
        await two.close()
        shop.check("one", "two")
    }

    /// Its snapshot is not there yet, and never comes.
    @Test func anEpochOfAnotherMachineMeanwhile() async throws {
        let shop = try await NoteShop()
        let one = try await shop.open("one", 1)
        try one.addNotes(2)
        try await one.synchronize()
        await one.close()
        shop.whileMigratingFirst { [upstream = shop.upstream] in
            let connection = try await upstream.connect(
                to: "notes",
                as: UpstreamClient(
                    id: UUID(), previousToken: UUID(), nextToken: UUID(), name: "other"))
            let head = try await connection.state().head
            _ = try await connection.beginEpoch(
                UpstreamEpochRequest(endedEpoch: 1, expectedHead: head, epoch: 2, head: head),
                with: nil
            ) { nil }
            await connection.close()
        }
        let newOne = try await shop.open("one", 2)
        #expect(shop.runs.withLock { $0 } == 1)
        #expect(try newOne.notes() == ["t0 10 o0", "t1 11 o1", "made  "])
        await newOne.close()
        shop.check("one")
    }

    /// The migrated realm's first commit is none: what the block made is in the snapshot alone.
    /// The machine that was to write the snapshot of an epoch is gone, and this one lacks what was
    /// in the log: it waits ten times as long as others, while it opens.
    @Test func anEpochWithoutItsSnapshot() async throws {
        let shop = try await NoteShop()
        let (one, two) = (try await shop.open("one", 1), try await shop.open("two", 1))
        try await two.synchronize()
        await two.close()
        try one.addNotes(1)
        try await one.synchronize()
        await one.close()
        let client = UpstreamClient(
            id: UUID(), previousToken: UUID(), nextToken: UUID(), name: "gone")
        let connection = try await shop.upstream.connect(to: "notes", as: client)
        let request = UpstreamEpochRequest(endedEpoch: 1, expectedHead: 1, epoch: 2, head: 1)
        #expect(try await connection.beginEpoch(request, with: nil) { nil } != nil)
        await connection.close()
        var options = SharingOptions()
        options.snapshotPatience = 0.3
        let newTwo = try await SharedRealm(
            shop.configuration("two", 2), upstream: shop.upstream, name: "notes",
            options: options)
        try await newTwo.synchronize()
        #expect(try newTwo.notes() == ["made  "] && newTwo.status.epoch > 2)
        await newTwo.close()
        shop.check("one", "two")
    }

    @Test func aMigrationOfAnEmptyRealm() async throws {
        let shop = try await NoteShop()
        let one = try await shop.open("one", 1)
        try await one.synchronize()
        await one.close()
        let newOne = try await shop.open("one", 2)
        #expect(try newOne.notes() == ["made  "])
        // A file that was not shared before.
        try shop.write("two", 2) { _ in }
        let two = try await shop.open("two", 2)
        try await two.synchronize()
        #expect(try two.notes() == ["made  "])
        await newOne.close()
        await two.close()
        shop.check("one", "two")
    }

    /// Whether the epoch was begun is not known: it is looked at again.
    @Test(arguments: 0..<6) func lostAnswers(after calls: Int) async throws {
        let shop = try await NoteShop()
        let one = try await shop.open("one", 1)
        try one.addNotes(2)
        try await one.synchronize()
        await one.close()
        shop.whileMigrating.withLock {
            $0 = { [upstream = shop.upstream] run in
                if run == 1 { upstream.loseAnswers(calls % 3 + 1) }
                if run == 1, calls >= 3 { upstream.loseRequests(1) }
            }
        }
        var opened: SharedRealm?
        for _ in 0..<100 where opened == nil {
            do {
                opened = try await shop.open("one", 2)
            } catch let error as SharingError where error.code == .unreachable {}
        }
        let newOne = try #require(opened)
        let two = try await shop.open("two", 2)
        try await two.synchronize()
        #expect(try two.notes() == ["t0 10 o0", "t1 11 o1", "made  "])
        #expect(try newOne.notes() == two.notes())
        await newOne.close()
        await two.close()
        shop.check("one", "two")
    }

    @Test func offlineItIsRefused() async throws {
        let shop = try await NoteShop()
        let one = try await shop.open("one", 1)
        try one.addNotes(2)
        try await one.synchronize()
        await one.close()
        shop.upstream.setReachable(false)
        let error = await #expect(throws: SharingError.self) {
            try await shop.open("one", 2).close()
        }
        #expect(error?.code == .unreachable)
        // An ordinary realm cannot do it alone.
        let refused = #expect(throws: Realm.Error.self) {
            try shop.write("one", 2) { _ in }
        }
        #expect(refused?.code == .schemaMismatch)
        #expect(refused?.description.contains("Open it with SharedRealm") == true)
        let again = try await shop.open("one", 1)
        #expect(try again.read { $0.objects(NoteOfVersion1.self).count } == 2)
        await again.close()
        shop.check("one")
    }

    @Test func aBlockThatThrowsChangesNothing() async throws {
        struct Refusal: Error {}
        let shop = try await NoteShop()
        let one = try await shop.open("one", 1)
        try one.addNotes(2)
        await one.close()
        var configuration = shop.configuration("one", 2)
        configuration.migrationBlock = { _, _ in throw Refusal() }
        await #expect(throws: Refusal.self) { try await shop.open(configuration).close() }
        // Two notes with one key.
        configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Note") { _, new in
                new?["id"] = try? ObjectId(string: "0123456789abcdef01234567")
            }
        }
        await #expect(throws: Realm.Error.self) { try await shop.open(configuration).close() }
        let again = try await shop.open("one", 1)
        try await again.synchronize()
        #expect(try again.read { $0.objects(NoteOfVersion1.self).count } == 2)
        await again.close()
        shop.check("one")
    }

    @Test func classesThatCannotBeShared() async throws {
        let shop = try await NoteShop()
        let one = try await shop.open("one", 1)
        try one.addNotes(2)
        await one.close()
        var configuration = shop.configuration("one", version: 2, [NoteWithoutKey.self])
        configuration.migrationBlock = { _, _ in }
        let error = await #expect(throws: SharingError.self) {
            try await shop.open(configuration).close()
        }
        #expect(error?.code == .unfitClass)
        let again = try await shop.open("one", 1)
        try await again.synchronize()
        #expect(try again.read { $0.objects(NoteOfVersion1.self).count } == 2)
        await again.close()
        shop.check("one")
    }

    /// A migration that only adds needs no other machine.
    @Test func additionsNeedNoConnection() async throws {
        let shop = try await NoteShop()
        let one = try await shop.open("one", 1)
        try one.addNotes(1)
        try await one.synchronize()
        await one.close()
        shop.upstream.setReachable(false)
        var configuration = shop.configuration("one", 1)
        configuration.schemaVersion = 2
        configuration.objectTypes = [NoteWithMore.self]
        configuration.migrationBlock = { _, _ in }
        let more = try await shop.open(configuration)
        try more.write { $0.objects(NoteWithMore.self).first?.more = "more" }
        shop.upstream.setReachable(true)
        try await more.synchronize()
        try await more.makeSnapshot()
        await more.close()
        // A former program begins with a snapshot of it.
        let two = try await shop.open("two", 1)
        #expect(try two.read { $0.objects(NoteOfVersion1.self).first?.text } == "t0")
        try two.write { $0.objects(NoteOfVersion1.self).first?.text = "two" }
        try await two.synchronize()
        await two.close()
        let again = try await shop.open(configuration)
        try await again.synchronize()
        let note = try again.read { realm in
            Array(realm.objects(NoteWithMore.self).map { "\($0.text) \($0.more)" })
        }
        #expect(note == ["two more"])
        await again.close()
        shop.check("one", "two")
    }

    @Test func primaryKeysAndEmbeddedObjects() async throws {
        let shop = try await NoteShop()
        let former = shop.configuration(
            "one", version: 1, [KeyedByNumber.self, FormerPart.self])
        let one = try await shop.open(former)
        try one.write { realm in
            for number in 1...3 {
                let keyed = KeyedByNumber()
                (keyed.id, keyed.part) = (number, FormerPart(value: ["width": number]))
                realm.add(keyed)
            }
        }
        try await one.synchronize()
        try await one.makeSnapshot()
        await one.close()
        var later = shop.configuration("one", version: 2, [KeyedByText.self, LaterPart.self])
        later.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Keyed") { old, new in
                new?["id"] = "number \(old?["id"] ?? "")"
            }
            migration.enumerateObjects(ofType: "Part") { old, new in
                new?["name"] = "part \(old?["width"] ?? "")"
            }
        }
        let newOne = try await shop.open(later)
        var second = later
        second.fileURL = shop.configuration("two", 1).fileURL
        let formerTwo = try await shop.open(
            shop.configuration("three", version: 2, [KeyedByText.self, LaterPart.self]))
        let newTwo = try await shop.open(second)
        for shared in [newOne, newTwo, formerTwo] {
            try await shared.synchronize()
            let found = try shared.read { realm in
                Array(
                    realm.objects(KeyedByText.self).sorted(byKeyPath: "id").map {
                        "\($0.id) \($0.part?.name ?? "-") \($0.part?.width ?? 0)"
                    })
            }
            #expect(
                found == [
                    "number 1 part 1 1", "number 2 part 2 2", "number 3 part 3 3",
                ])
            await shared.close()
        }
        shop.check("one", "two", "three")
    }
}
