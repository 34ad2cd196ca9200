import Foundation
import Freehold
import FreeholdSharing
import FreeholdStorage
import Testing

// Classes of a program that shares.

final class ShopItem: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name = ""
    @Persisted var stock = 0
    @Persisted var price: Double?
    @Persisted var tags: List<String>
    @Persisted var kinds: MutableSet<String>
    @Persisted var notes: Map<String, String>
    @Persisted var extra: AnyRealmValue
    @Persisted var supplier: ShopSupplier?
    @Persisted var size: ShopSize?
    @Persisted var parts: List<ShopSize>
}

final class ShopSupplier: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var name: String
    @Persisted var city: String?
    @Persisted(originProperty: "supplier") var items: LinkingObjects<ShopItem>
}

final class ShopSize: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var width = 0
    @Persisted var unit: String?
}

final class KeylessItem: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var name = ""
}

final class CountedItem: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
}

/// Programs on several machines, with an upstream. Their files are verified at the end.
final class Shop: Sendable {
    let upstream: SimulatedUpstream
    let folder: URL
    static let name = "shop"
    /// Those that were opened, with their keys.
    private let machines = Locked<[String: Data?]>([:])

    /// - Parameters:
    ///   - folder: Where the files are; nil for a new one.
    ///   - faults: Of the network, by a seed.
    init(folder: URL? = nil, faults: SimulatedFaults = .none, seed: UInt64 = 0) async throws {
        upstream = SimulatedUpstream(seed: seed, faults: faults)
        self.folder =
            folder
            ?? FileManager.default.temporaryDirectory.appendingPathComponent(
                "freehold-shop-\(UUID().uuidString)")
        let folder = self.folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await upstream.create(Self.name)
    }

    deinit {
        for (machine, key) in machines.withLock({ $0 }) {
            do {
                let problems = try Realm.withStoredClasses(configuration(machine, key: key)).check()
                #expect(problems.isEmpty, "\(machine)")
            } catch Realm.Error.fileNotFound {
                // It was not made.
            } catch {
                Issue.record("\(machine): \(error)")
            }
        }
        try? FileManager.default.removeItem(at: folder)
    }

    func configuration(
        _ machine: String, key: Data? = nil,
        _ types: [ObjectBase.Type] = [ShopItem.self, ShopSupplier.self, ShopSize.self]
    ) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: folder.appendingPathComponent(machine), encryptionKey: key,
            objectTypes: types)
    }

    /// Writes a file that is not shared.
    func write(_ configuration: Realm.Configuration, _ body: (Realm) throws -> Void) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { try body(realm) }
    }

    func open(_ machine: String, key: Data? = nil) async throws -> SharedRealm {
        try await open(configuration(machine, key: key))
    }

    func open(_ configuration: Realm.Configuration) async throws -> SharedRealm {
        if let machine = configuration.fileURL?.lastPathComponent {
            machines.withLock { $0[machine] = .some(configuration.encryptionKey) }
        }
        var options = SharingOptions()
        (options.shortestRetry, options.longestRetry) = (0.01, 0.05)
        return try await SharedRealm(
            configuration, upstream: upstream, name: Self.name, options: options)
    }
}

extension SharedRealm {
    /// Reads a new realm of the calling thread.
    func read<Value>(_ body: (Realm) throws -> Value) throws -> Value {
        let realm = try realm()
        realm.refresh()
        return try body(realm)
    }

    @discardableResult
    func write<Value>(_ body: (Realm) throws -> Value) throws -> Value {
        let realm = try realm()
        return try realm.write { try body(realm) }
    }

    /// The contents as text.
    func dump() throws -> String {
        try read { realm in
            let items = realm.objects(ShopItem.self).sorted(byKeyPath: "id").map { item in
                let parts = Array(item.parts).map { "\($0.width)\($0.unit ?? "-")" }
                let notes = item.notes.asKeyValueSequence().map { "\($0)=\($1)" }.sorted()
                return """
                    \(item.id) \(item.name) \(item.stock) \(item.price ?? -1) \
                    \(Array(item.tags)) \(Array(item.kinds).sorted()) \(notes) \(text(item.extra)) \
                    \(item.supplier?.name ?? "-") \(item.size?.width ?? -1) \(parts)
                    """
            }
            let suppliers = realm.objects(ShopSupplier.self).sorted(byKeyPath: "name").map {
                "\($0.name) \($0.city ?? "-") \($0.items.count)"
            }
            return (Array(items) + Array(suppliers)).joined(separator: "\n")
        }
    }
}

func expectEqual(
    _ one: SharedRealm, _ two: SharedRealm, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let (first, second) = (try one.dump(), try two.dump())
    #expect(first == second, sourceLocation: sourceLocation)
}

private func text(_ value: AnyRealmValue) -> String {
    if let map = value.dictionaryValue {
        return "\(map.keys.sorted().map { "\($0): \(text(map[$0] ?? .none))" })"
    }
    return value.listValue.map { "\(Array($0.map(text)))" } ?? "\(value)"
}
