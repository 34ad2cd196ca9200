import Foundation
import Freehold
@testable import FreeholdSharing
@testable import FreeholdStorage
import Testing

extension SharedFile {
    /// What the program was not told of yet.
    func rejections() throws -> [(row: Int64, record: SharedRejectionRecord)] {
        var (all, rows): ([(Int64, SharedRejectionRecord)], Set<Int64>) = ([], [])
        while let next = try nextRejection(except: rows) {
            all.append(next)
            rows.insert(next.row)
        }
        return all
    }
}

/// What a rejection has.
@Suite struct RejectionTests {
    private static func object(_ name: String) -> SharedReference {
        SharedReference("Named", .text(ContiguousArray(name.utf8)))
    }

    /// One for each object and reason, with the properties that were left out.
    @Test func onlyWhatWasLeftOut() throws {
        var commit = SharedCommit()
        commit.deleted = [Self.object("a")]
        commit.inserted = [
            .init(Self.object("a"), ["int": .integer(1), "text": .text([65])]),
            .init(Self.object("b"), ["int": .integer(2)]),
        ]
        commit.updated = [
            .init(Self.object("c"), ["int": .add(3), "text": .assign(.null), "count": .add(4)]),
            .init(Self.object("d"), ["int": .add(5), "text": .assign(.null)]),
            .init(Self.object("e"), ["int": .add(6)]),
        ]
        var applied = SharedFile.Applied()
        var reported: Set<UInt64> = []
        let leftOut: [SharedApplier.LeftOut] = [
            .init(object: Self.object("a"), property: "text", reason: .doesNotFit),
            .init(object: Self.object("c"), property: "int", reason: .doesNotFit),
            .init(object: Self.object("d"), reason: .isGone),
            .init(object: Self.object("c"), property: "count", reason: .doesNotFit),
        ]
        applied.note(leftOut, of: 7, commit, &reported)
        let parts = try applied.rejected.map { try #require(SharedCommit(decoding: $0.commit)) }
        #expect(
            applied.rejected.map(\.reason) == [.doesNotFit, .doesNotFit, .objectDeleted]
                && applied.rejected.allSatisfy { $0.clientSequence == 7 })
        try #require(parts.count == 3)
        #expect(parts.allSatisfy { $0.deleted.isEmpty })
        #expect(parts[0].inserted == [.init(Self.object("a"), ["text": .text([65])])])
        #expect(parts[0].updated.isEmpty)
        #expect(
            parts[1].updated == [.init(Self.object("c"), ["int": .add(3), "count": .add(4)])])
        #expect(parts[2].updated == [commit.updated[1]])
        #expect(parts[1].inserted.isEmpty && parts[2].inserted.isEmpty)
        // Once.
        applied.note(leftOut, of: 7, commit, &reported)
        #expect(applied.rejected.count == 3)
        // Those of another property later.
        let later = SharedApplier.LeftOut(
            object: Self.object("c"), property: "text", reason: .doesNotFit)
        applied.note([later], of: 7, commit, &reported)
        let last = try #require(applied.rejected.last)
        #expect(
            SharedCommit(decoding: last.commit)?.updated
                == [.init(Self.object("c"), ["text": .assign(.null)])])
    }

    /// A commit of many objects that are gone: each rejection has one, whichever order they are
    /// read in.
    @Test(.timeLimit(.minutes(10))) func aCommitOfManyObjects() async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        let names = Set((0..<600).map { "n\($0)" })
        try one.write { realm in
            for name in names { realm.create(ShopSupplier.self, value: ["name": name]) }
        }
        try await one.synchronize()
        try await two.synchronize()
        await two.close()
        try shop.write(two.configuration) { realm in
            for supplier in realm.objects(ShopSupplier.self) { supplier.city = "Ulm" }
        }
        try one.write { $0.delete($0.objects(ShopSupplier.self)) }
        try await one.synchronize()
        let again = try await shop.open("two")
        try await again.synchronize()
        var told: Set<String> = []
        for try await rejection in again.rejections {
            try #require(rejection.reason == .objectDeleted && rejection.changes.count == 1)
            #expect(rejection.changes[0].values == ["city": .string("Ulm")])
            if case .string(let name) = rejection.changes[0].primaryKey { told.insert(name) }
            if told.count == names.count { break }
        }
        #expect(told == names)
        await one.close()
        await again.close()
        #expect(try again.read { try SharedFileStatus(of: $0)?.rejected } == 0)
    }
}
