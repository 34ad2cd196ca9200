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
                return try SharedCapture(writeSet).capture()
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

    @Test func damagedBytesAreNoCommit() throws {
        var random = Seed.random()
        let folder = try StoreFolder()
        let store = try folder.open("a")
        try store.write { SharedWorld.addClasses(to: $0) }
        for _ in 0..<40 {
            let captured = try store.write { writeSet in
                try SharedWorld.change(writeSet, &random)
                return try SharedCapture(writeSet).capture()
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
