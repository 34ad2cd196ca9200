import Foundation
import Freehold
import FreeholdRealmTestSupport
@testable import FreeholdSharing
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing
import UpstreamConformance

/// What machines exchange is kept for ever, and read by each build: programs of several ages share
/// a log. `Tests/Golden` has a directory for each format: a commit with every kind of change and
/// value, a file with pending commits and a rejection, and a snapshot.
///
/// For a new format, set `format`, run `FREEHOLD_WRITE_GOLDEN=1 swift test --filter
/// GoldenSharingTests`, and commit the directory. Those of releases stay.
@Suite(.disabled(if: EncryptedSuite.isOn, "The files that are kept are not encrypted."))
struct GoldenSharingTests {
    private static let format = "sharing-draft-1"
    private static let isWriting =
        ProcessInfo.processInfo.environment["FREEHOLD_WRITE_GOLDEN"] != nil
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Golden/\(format)")
    /// The commits of the log that the file and the snapshot have.
    private static let applied: Int64 = 5
    private static let item = ObjectId("0123456789abcdef01234567")

    // MARK: What is kept

    /// A commit with every kind of change and value. Its sets have one element: they have no
    /// order.
    private static let commit: SharedCommit = {
        func text(_ text: String) -> SharedValue { .text(ContiguousArray(text.utf8)) }
        func property(
            _ type: ColumnType, _ shape: StoredCollectionKind.Shape? = nil, target: String? = nil
        ) -> SharedCommit.Property {
            .init(
                type: shape == nil ? type : .bytes, isNullable: shape == nil,
                collection: shape.map { StoredCollectionKind($0, of: type, isNullable: true) },
                target: target)
        }
        let id = FixedValue((0x0102_0304_0506_0708 as UInt64, 0x090A_0B0C as UInt32))
        let uuid = FixedValue((0x0102_0304_0506_0708 as UInt64, 0x090A_0B0C_0D0E_0FFF as UInt64))
        let other = SharedReference("Thing", text("Zoë 🐟"))
        var commit = SharedCommit()
        (commit.author, commit.nonce) = ("import", 0x0102_0304_0506_0708)
        commit.classes["Part"] = .init(isEmbedded: true, primaryKey: nil)
        commit.classes["Part"]?.properties["width"] = property(.integer)
        commit.classes["Thing"] = .init(isEmbedded: false, primaryKey: "key")
        commit.classes["Thing"]?.properties = [
            "key": .init(type: .text, isNullable: false), "bool": property(.boolean),
            "int": property(.integer), "float": property(.float), "double": property(.double),
            "date": property(.timestamp), "decimal": property(.decimal), "data": property(.bytes),
            "id": property(.fixed12), "uuid": property(.fixed16), "any": property(.mixed),
            "link": property(.link, target: "Thing"), "part": property(.link, target: "Part"),
            "list": property(.text, .list), "set": property(.integer, .set),
            "map": property(.double, .map),
        ]
        commit.deleted = [
            SharedReference("Thing", .integer(-1)),
            SharedReference("Thing", .fixed(id)),
            SharedReference("Thing", .fixed(uuid)),
        ]
        commit.inserted = [
            .init(
                other,
                [
                    "bool": .boolean(true), "int": .integer(.min), "float": .float(0x3F80_0000),
                    "double": .double(0x8000_0000_0000_0000),
                    "date": .timestamp(Double(-1.5).bitPattern), "decimal": .decimal(7, 1 << 62),
                    "data": .bytes([0, 255]), "id": .fixed(id),
                    "uuid": .fixed(uuid), "link": .link(other),
                    "part": .object(["width": .integer(3)]),
                    "any": .map([
                        ContiguousArray("k".utf8): .list([.anyLink(other), .null, .boolean(false)])
                    ]),
                    "list": .list([text("a"), .null]), "set": .set([.integer(1)]),
                    "map": .map([ContiguousArray("k".utf8): .double(0)]),
                ])
        ]
        commit.updated = [
            .init(
                SharedReference("Thing", text("")),
                [
                    "any": .assign(.null), "int": .add(-300),
                    "list": .list(
                        SharedListEdits(edits: [
                            .init(
                                position: 200, removed: [text("b")], inserted: [text("c")],
                                before: text("a"), after: nil),
                            .init(
                                position: 300, removed: [], inserted: [.null], before: nil,
                                after: text("d")),
                        ])),
                    "set": .set(removed: [.integer(1)], added: [.integer(2)]),
                    "map": .map([
                        ContiguousArray("gone".utf8): nil,
                        ContiguousArray("new".utf8): .double(1),
                    ]),
                ])
        ]
        return commit
    }()

    /// Makes the file, with the upstream out of reach at the end.
    ///
    /// - Returns: The snapshot.
    private static func fill(_ shop: Shop) async throws -> Data {
        var one = try await shop.open("one")
        let two = try await shop.open("two")
        try one.write { realm in
            let ada = realm.create(ShopSupplier.self, value: ["name": "Ada", "city": "Ulm"])
            let new = ShopItem()
            new.id = item
            (new.name, new.stock, new.supplier) = ("Zoë 🐟", 5, ada)
            new.tags.append(objectsIn: ["a", "b"])
            new.kinds.insert("x")
            new.notes["k"] = "v"
            new.extra = .fromArray([.int(1), .none])
            new.parts.append(ShopSize(value: ["width": 1, "unit": "mm"]))
            realm.add(new)
        }
        try one.write { $0.create(ShopSupplier.self, value: ["name": "Bo"]) }
        try await one.synchronize()
        try await two.synchronize()
        await one.close()
        try two.write { realm in
            realm.object(ofType: ShopSupplier.self, forPrimaryKey: "Bo").map { realm.delete($0) }
        }
        try await two.synchronize()
        await two.close()
        try shop.write(one.configuration) {
            $0.object(ofType: ShopSupplier.self, forPrimaryKey: "Bo")?.city = "Rom"
        }
        try shop.write(one.configuration) {
            _ = $0.create(ShopSupplier.self, value: ["name": "Cy"])
        }
        one = try await shop.open("one")
        try await one.synchronize()
        try await one.makeSnapshot()
        let connection = try await shop.upstream.connect(to: Shop.name, as: .random())
        let snapshot = try #require(try await connection.newestSnapshot())
        #expect(snapshot.sequence == applied)
        let bytes = Locked(Data())
        try await connection.read(snapshot) { piece in bytes.withLock { $0 += piece } }
        shop.upstream.setReachable(false)
        try one.write { realm in
            let item = realm.object(ofType: ShopItem.self, forPrimaryKey: item)
            item?.increment(\.stock, by: 3)
            item?.tags.insert("new", at: 1)
        }
        try one.write { $0.create(ShopSupplier.self, value: ["name": "Di"]) }
        await one.close()
        return bytes.withLock { $0 }
    }

    @Test(.enabled(if: isWriting)) func write() async throws {
        try FileManager.default.createDirectory(
            at: Self.folder, withIntermediateDirectories: true)
        try Data(Self.commit.encoded()).write(
            to: Self.folder.appendingPathComponent("commit.archive"))
        let shop = try await Shop()
        let snapshot = try await Self.fill(shop)
        try snapshot.write(to: Self.folder.appendingPathComponent("snapshot.archive"))
        try Gzip.compress(
            shop.folder.appendingPathComponent("one"),
            to: Self.folder.appendingPathComponent("shared.realm.gz"))
    }

    // MARK: Reading

    @Test(.disabled(if: isWriting)) func aCommit() throws {
        let kept = try Data(contentsOf: Self.folder.appendingPathComponent("commit.archive"))
        let commit = try #require(SharedCommit(decoding: kept))
        #expect(commit == Self.commit)
        #expect(Data(Self.commit.encoded()) == kept)
    }

    /// What waits in the file is pushed, to a server that has lost everything.
    @Test(.disabled(if: isWriting), .timeLimit(.minutes(10))) func aFile() async throws {
        let shop = try await Shop()
        try Gzip.decompress(
            Self.folder.appendingPathComponent("shared.realm.gz"),
            to: shop.folder.appendingPathComponent("one"))
        shop.upstream.setReachable(false)
        let one = try await shop.open("one")
        let known = try #require(try one.read { try SharedFileStatus(of: $0) })
        #expect(known.name == Shop.name && known.epoch == 1 && known.applied == Self.applied)
        #expect(known.pending == 2 && known.rejected == 1)
        #expect(
            try one.read { try $0.pendingChanges() }.map(\.primaryKey)
                == [.objectId(Self.item), .string("Di")])
        for try await rejection in one.rejections {
            #expect(rejection.reason == .objectDeleted)
            #expect(rejection.changes.map(\.primaryKey) == [.string("Bo")])
            break
        }
        shop.upstream.setReachable(true)
        try await one.synchronize()
        let two = try await shop.open("two")
        try await two.synchronize()
        try expectEqual(one, two)
        try two.read { realm in
            let item = realm.object(ofType: ShopItem.self, forPrimaryKey: Self.item)
            #expect(item?.stock == 8 && item.map { Array($0.tags) } == ["a", "new", "b"])
            #expect(
                realm.objects(ShopSupplier.self).map(\.name).sorted() == ["Ada", "Cy", "Di"])
        }
        await one.close()
        await two.close()
    }

    /// A new file begins with the snapshot.
    @Test(.disabled(if: isWriting), .timeLimit(.minutes(10))) func aSnapshot() async throws {
        let shop = try await Shop()
        let kept = try Data(contentsOf: Self.folder.appendingPathComponent("snapshot.archive"))
        let connection = try await shop.upstream.connect(to: Shop.name, as: .random())
        _ = try await connection.push(
            (1...Self.applied).map { .numbered($0) }, in: 1, expecting: nil)
        let pieces = Locked([kept])
        try await connection.write(
            UpstreamSnapshot(
                epoch: 1, sequence: Self.applied, byteCount: Int64(kept.count), isEncrypted: false)
        ) { pieces.withLock { $0.popLast() } }
        try await connection.trim(olderThan: .zero)
        let new = try await shop.open("new")
        try new.read { realm in
            let item = realm.object(ofType: ShopItem.self, forPrimaryKey: Self.item)
            #expect(item?.stock == 5 && item?.name == "Zoë 🐟")
            #expect(item?.supplier?.city == "Ulm" && item?.parts.first?.unit == "mm")
            #expect(realm.objects(ShopSupplier.self).map(\.name).sorted() == ["Ada", "Cy"])
        }
        #expect(new.status.applied == Self.applied)
        await new.close()
    }

}
