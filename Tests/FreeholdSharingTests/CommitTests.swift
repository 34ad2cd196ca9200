@testable import FreeholdSharing
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Capturing, applying and taking back commits.
@Suite struct CommitTests {
    /// What a transaction did locally is what its commit does elsewhere, in a file and in the
    /// model; its undo leads back; its bytes are it.
    @Test func randomCommits() throws {
        var random = Seed.random()
        let folder = try StoreFolder()
        let (mine, theirs) = (try folder.open("mine"), try folder.open("theirs"))
        try mine.write { SharedWorld.addClasses(to: $0) }
        var model = SharedModel()
        for round in 0..<300 {
            let before = try mine.model()
            let captured = try mine.write { writeSet in
                try SharedWorld.change(writeSet, &random)
                return try SharedCapture(writeSet).capture(path: "")
            }
            let after = try mine.model()
            guard let captured else {
                #expect(before == after)
                continue
            }
            let decoded = try #require(SharedCommit(decoding: captured.commit.encoded()))
            #expect(decoded == captured.commit)
            model.apply(decoded)
            #expect(model == after, "round \(round)")
            let outcome = try theirs.write { writeSet in
                let applier = SharedApplier(writeSet)
                applier.prepare(for: [decoded])
                return try applier.apply(decoded, recordingUndo: true)
            }
            #expect(outcome.leftOut.isEmpty)
            #expect(try theirs.model() == after, "round \(round)")
            // Both undos lead back.
            for undo in [captured.undo, try #require(outcome.undo)] {
                let writeSet = theirs.draft(on: try theirs.newestSnapshot())
                let applier = SharedApplier(writeSet)
                applier.prepare(for: [undo])
                _ = try applier.apply(undo)
                #expect(SharedModel(of: writeSet) == before, "round \(round)")
            }
            if model != after { return }
        }
        #expect(try mine.check(try mine.newestSnapshot()).isEmpty)
        #expect(try theirs.check(try theirs.newestSnapshot()).isEmpty)
    }

    /// What no file can have is no commit; what one can have is.
    @Test func limits() throws {
        func commit(_ change: (inout SharedCommit) -> Void) -> ContiguousArray<UInt8> {
            var commit = SharedCommit()
            commit.classes["Thing"] = .init(
                isEmbedded: false, primaryKey: "key",
                properties: ["key": .init(type: .text, isNullable: false)])
            change(&commit)
            return commit.encoded()
        }
        func isCommit(_ change: (inout SharedCommit) -> Void) -> Bool {
            SharedCommit(decoding: commit(change)) != nil
        }
        for (count, isFit) in [(65_535, true), (65_536, false)] {
            let name = String(repeating: "n", count: count)
            #expect(isCommit { $0.classes[name] = $0.classes["Thing"] } == isFit)
            #expect(
                isCommit {
                    $0.classes["Thing"]?.properties[name] = .init(type: .text, isNullable: false)
                } == isFit)
        }
        for (count, isFit) in [(65_534, true), (65_535, false)] {
            #expect(
                isCommit { commit in
                    for number in 1..<count {
                        commit.classes["Thing"]?.properties["\(number)"] = .init(
                            type: .integer, isNullable: false)
                    }
                } == isFit)
        }
        let object = SharedReference("Thing", .text([65]))
        for (count, isFit) in [(0xFF_FFF8, true), (0xFF_FFF9, false)] {
            let bytes = ContiguousArray(repeating: 65 as UInt8, count: count)
            for value in [SharedValue.text(bytes), .bytes(bytes), .map([bytes: .null])] {
                #expect(isCommit { $0.inserted = [.init(object, ["any": value])] } == isFit)
            }
        }
    }

    /// A class that had the most properties gets no others.
    @Test func aFullClass() throws {
        let folder = try StoreFolder()
        let store = try folder.open("a")
        try store.write { writeSet in
            SharedWorld.addClasses(to: writeSet)
            let place = try #require(
                writeSet.catalog.tables.firstIndex { $0.name == "Named" })
            writeSet.catalog.tables[place].nextColumnID = .max - 2
        }
        var commit = SharedCommit()
        let object = SharedReference("Named", .text([65]))
        let names = (1...5).map { "more\($0)" }
        commit.inserted = [
            .init(
                object,
                Dictionary(uniqueKeysWithValues: names.map { ($0, SharedValue.integer(1)) }))
        ]
        commit.define(by: try store.newestSnapshot().catalog)
        for name in names {
            commit.classes["Named"]?.properties[name] = .init(type: .integer, isNullable: false)
        }
        let outcome = try store.write { writeSet in
            let applier = SharedApplier(writeSet)
            applier.prepare(for: [commit])
            return try applier.apply(commit)
        }
        #expect(Set(outcome.leftOut.map(\.property)) == ["more3", "more4", "more5"])
        let values = try store.model().objects[object]
        #expect(values?["more2"] == .integer(1) && values?["more3"] == nil)
        #expect(try store.check(try store.newestSnapshot()).isEmpty)
    }

    /// Also in another process: a copied file recognizes what the original pushed by its bytes.
    @Test func equalCommitsHaveEqualBytes() {
        func bytes(_ numbers: some Sequence<Int>, capacity: Int) -> ContiguousArray<UInt8> {
            var elements = Set<SharedValue>(minimumCapacity: capacity)
            for number in numbers { elements.insert(.integer(Int64(number))) }
            var commit = SharedCommit()
            let changes: [String: SharedCommit.Change] = [
                "a": .set(removed: elements, added: elements), "b": .assign(.set(elements)),
            ]
            commit.updated = [.init(SharedReference("Named", .integer(1)), changes)]
            return commit.encoded()
        }
        let found = bytes(0..<40, capacity: 0)
        #expect(found == bytes((0..<40).reversed(), capacity: 1000))
        #expect(SharedCommit(decoding: found)?.encoded() == found)
    }

    @Test func damagedBytesAreNoCommit() throws {
        var random = Seed.random()
        let folder = try StoreFolder()
        let store = try folder.open("a")
        try store.write { SharedWorld.addClasses(to: $0) }
        for _ in 0..<40 {
            let captured = try store.write { writeSet in
                try SharedWorld.change(writeSet, &random)
                return try SharedCapture(writeSet).capture(path: "")
            }
            guard var bytes = captured?.commit.encoded() else { continue }
            for _ in 0..<20 {
                bytes[random.int(0...(bytes.count - 1))] = UInt8(random.int(0...255))
                guard let commit = SharedCommit(decoding: bytes) else { continue }
                // Whatever it says is done as far as it fits.
                let writeSet = store.draft(on: try store.newestSnapshot())
                let applier = SharedApplier(writeSet)
                applier.prepare(for: [commit])
                _ = try applier.apply(commit)
            }
            for count in stride(from: 0, to: bytes.count, by: 7) {
                #expect(SharedCommit(decoding: bytes.prefix(count)) != SharedCommit())
            }
        }
    }
}
