/// A value of a row's column, or an element of a collection, that owns all that it consists of.
///
/// Equal values are stored as the same bits: 1 and 1.0 differ, NaN equals itself, and -0.0 is not
/// 0.0. The identities of nested collections do not count (``MixedValue/isSame(_:_:)``).
package enum StoredValue: Sendable {
    /// A value of any type but mixed, or null.
    case plain(ScanValue)
    case mixed(MixedValue)
    case list(ContiguousArray<StoredValue>)
    /// In the order of the set.
    case set(ContiguousArray<StoredValue>)
    /// In the order of the keys.
    case map(ContiguousArray<MapEntry>)

    package struct MapEntry: Hashable, Sendable {
        /// UTF-8.
        package let key: ContiguousArray<UInt8>
        package let value: StoredValue

        package init(key: ContiguousArray<UInt8>, value: StoredValue) {
            self.key = key
            self.value = value
        }
    }

    package static let null = StoredValue.plain(.null)

    package var isNull: Bool {
        if case .plain(.null) = self { return true }
        return false
    }
}

extension StoredValue: Hashable {
    package static func == (a: StoredValue, b: StoredValue) -> Bool {
        switch (a, b) {
        case (.plain(let first), .plain(let second)):
            switch (first, second) {
            case (.double(let one), .double(let other)),
                (.timestamp(let one), .timestamp(let other)):
                one.bitPattern == other.bitPattern
            case (.float(let one), .float(let other)): one.bitPattern == other.bitPattern
            default: first == second
            }
        case (.mixed(let first), .mixed(let second)): MixedValue.isSame(first, second)
        case (.list(let first), .list(let second)), (.set(let first), .set(let second)):
            first == second
        case (.map(let first), .map(let second)): first == second
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .plain(let value): hasher.combine(value)
        case .mixed(let value): value.hashContents(into: &hasher)
        case .list(let elements), .set(let elements): hasher.combine(elements)
        case .map(let entries): hasher.combine(entries)
        }
    }
}

extension MixedValue {
    /// Hashes what ``isSame(_:_:)`` compares.
    fileprivate func hashContents(into hasher: inout Hasher) {
        switch self {
        case .list(let values, _):
            hasher.combine(values.count)
            for value in values { value?.hashContents(into: &hasher) }
        case .map(let entries, _):
            hasher.combine(entries.count)
            for entry in entries {
                hasher.combine(entry.key)
                entry.value?.hashContents(into: &hasher)
            }
        default: hasher.combine(encoded)
        }
    }
}
