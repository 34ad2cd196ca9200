import FreeholdStorage
import FreeholdTestSupport

extension MergeModel {
    /// Reads a version. Addresses have no numbers.
    init(_ source: TableSource, _ world: MergeWorld) {
        self.init()
        func value(_ table: TableID, _ key: Int64, _ column: ColumnID) -> StoredValue {
            MergeSide.value(source, table, key, column)
        }
        for key in source.table(world.items).allKeys {
            func get(_ column: ColumnID) -> StoredValue { value(world.items, key, column) }
            items[key] = Item(
                name: get(world.name).string, count: get(world.count).number,
                friend: get(world.friend).target, numbers: get(world.numbers).members.map(\.number),
                links: get(world.links).members.compactMap(\.target),
                tags: Set(get(world.tags).members.map(\.number)),
                scores: get(world.scores).pairs.mapValues(\.number))
        }
        func title(_ key: Int64) -> String { value(world.named, key, world.title).string }
        for key in source.table(world.named).allKeys {
            named[title(key)] = Named(
                rank: value(world.named, key, world.rank).number,
                item: value(world.named, key, world.item).target,
                twin: value(world.named, key, world.twin).target.map(title))
        }
        func address(_ key: Int64) -> Address {
            Address(
                street: value(world.owned, key, world.street).string,
                city: value(world.owned, key, world.city).string)
        }
        for key in source.table(world.owners).allKeys {
            owners[value(world.owners, key, world.label).string] = Owner(
                address: value(world.owners, key, world.address).target.map(address),
                addresses: value(world.owners, key, world.addresses).members.compactMap {
                    $0.target.map(address)
                })
        }
    }
}

extension StoredValue {
    var string: String {
        if case .plain(.text(let bytes)) = self { return String(decoding: bytes, as: UTF8.self) }
        return ""
    }
    var number: Int64 {
        if case .plain(.integer(let value)) = self { return value }
        return -1
    }
    var target: Int64? {
        if case .plain(.link(let key)) = self { return key.rawValue }
        return nil
    }
    var members: [StoredValue] {
        switch self {
        case .list(let values), .set(let values): Array(values)
        default: []
        }
    }
    var pairs: [String: StoredValue] {
        guard case .map(let entries) = self else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: entries.map {
                (String(decoding: $0.key, as: UTF8.self), $0.value)
            })
    }
}

