internal import Synchronization

/// Nested collections and their identities.
///
/// A nested collection is part of the bytes of the value that contains it, so it has no key.
/// Its identity serves instead: it is created when the collection is stored, is unique, and is
/// kept while the collection or its surroundings change. A collection that replaces another one
/// gets a new identity.
extension MixedValue {
    /// The identity of a list or a map; nil for other values.
    package var identity: UInt64? {
        switch self {
        case .list(_, let identity), .map(_, let identity): identity
        default: nil
        }
    }

    /// The first byte of a list.
    package static let listTag: UInt8 = 12
    static let mapTag: UInt8 = 13

    /// The identity of a list or a map, read from its bytes. O(1).
    package static func identity(in bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard let tag = bytes.first, tag == listTag || tag == mapTag, bytes.count >= 9 else {
            return nil
        }
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
    }

    /// Returns an identity that no nested collection has yet. O(1). Any thread.
    package static func newIdentity() -> UInt64 {
        // Odd steps from a random start: the numbers of other processes are far away in 2^64.
        identities.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).oldValue
    }

    private static let identities = Atomic<UInt64>(.random(in: 0...(.max)))

    /// The collection at the end of a path of identities, which begins with this value's own;
    /// nil if there is none. O(elements on the way).
    package func nested(at path: ArraySlice<UInt64>) -> MixedValue? {
        guard let own = path.first, own == identity else { return nil }
        let rest = path.dropFirst()
        guard let next = rest.first else { return self }
        switch self {
        case .list(let values, _):
            return values.lazy.compactMap { $0 }.first { $0.identity == next }?.nested(at: rest)
        case .map(let entries, _):
            return entries.lazy.compactMap { $0.value }.first { $0.identity == next }?.nested(
                at: rest)
        default: return nil
        }
    }

    /// Replaces the collection at the end of a path, as in ``nested(at:)``. Returns false if
    /// there is none.
    package mutating func replaceNested(at path: ArraySlice<UInt64>, by new: MixedValue) -> Bool {
        guard let own = path.first, own == identity else { return false }
        let rest = path.dropFirst()
        guard let next = rest.first else {
            self = new
            return true
        }
        switch self {
        case .list(var values, let identity):
            guard let index = values.firstIndex(where: { $0?.identity == next }),
                var child = values[index]
            else { return false }
            guard child.replaceNested(at: rest, by: new) else { return false }
            values[index] = child
            self = .list(values, identity: identity)
        case .map(var entries, let identity):
            guard let index = entries.firstIndex(where: { $0.value?.identity == next }),
                var child = entries[index].value
            else { return false }
            guard child.replaceNested(at: rest, by: new) else { return false }
            entries[index].value = child
            self = .map(entries, identity: identity)
        default: return false
        }
        return true
    }

    /// The index of a key among the entries of a map, or where it belongs. O(log count).
    package static func place(
        of key: ContiguousArray<UInt8>,
        in entries: ContiguousArray<(key: ContiguousArray<UInt8>, value: MixedValue?)>
    ) -> (index: Int, isFound: Bool) {
        key.withUnsafeBytes { key in
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                let order = entries[middle].key.withUnsafeBytes { ElementOrder.compare($0, key) }
                if order == 0 { return (middle, true) }
                if order < 0 { low = middle + 1 } else { high = middle }
            }
            return (low, false)
        }
    }
}
