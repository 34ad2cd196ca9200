/// Keys of rows in some order, in 4 bytes each where they lie near each other, as they do in most
/// classes.
package struct PackedKeys {
    private enum Storage {
        case narrow(ContiguousArray<UInt32>, base: Int64)
        case wide(ContiguousArray<Int64>)
    }

    private let storage: Storage

    /// O(keys).
    package init(_ keys: ContiguousArray<Int64>) {
        guard let least = keys.min(), let greatest = keys.max(),
            UInt64(bitPattern: greatest &- least) <= UInt64(UInt32.max)
        else {
            storage = .wide(keys)
            return
        }
        let offsets = ContiguousArray<UInt32>(unsafeUninitializedCapacity: keys.count) {
            offsets, count in
            for index in keys.indices {
                offsets[index] = UInt32(truncatingIfNeeded: keys[index] &- least)
            }
            count = keys.count
        }
        storage = .narrow(offsets, base: least)
    }

    /// Packs keys that come one by one.
    ///
    /// - Parameters:
    ///   - least, greatest: The bounds of the keys. Nil if they do not lie near each other.
    ///   - fill: Calls its argument with each key.
    init?(least: Int64, greatest: Int64, count: Int, _ fill: ((Int64) -> Void) -> Void) {
        guard UInt64(bitPattern: greatest &- least) <= UInt64(UInt32.max) else { return nil }
        let offsets = ContiguousArray<UInt32>(unsafeUninitializedCapacity: count) {
            offsets, filled in
            var index = 0
            fill { key in
                if index < count { offsets[index] = UInt32(truncatingIfNeeded: key &- least) }
                index += 1
            }
            filled = min(index, count)
        }
        storage = .narrow(offsets, base: least)
    }

    package var count: Int {
        switch storage {
        case .narrow(let offsets, _): offsets.count
        case .wide(let keys): keys.count
        }
    }

    package var byteCount: Int {
        switch storage {
        case .narrow(let offsets, _): 4 * offsets.count
        case .wide(let keys): 8 * keys.count
        }
    }

    package subscript(positions: Range<Int>) -> [Int64] {
        switch storage {
        case .narrow(let offsets, let base): offsets[positions].map { base &+ Int64($0) }
        case .wide(let keys): Array(keys[positions])
        }
    }

    /// O(keys).
    package func firstIndex(of key: Int64) -> Int? {
        switch storage {
        case .narrow(let offsets, let base):
            UInt32(exactly: key &- base).flatMap { offsets.firstIndex(of: $0) }
        case .wide(let keys): keys.firstIndex(of: key)
        }
    }
}
