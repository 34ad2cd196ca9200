extension ColumnView {
    /// Calls `body` with each of `count` rows, counted from the start of both runs, whose
    /// values differ. Values are compared bit by bit: NaN equals itself, and -0.0 is not 0.0.
    ///
    /// The encodings may differ. Of long values, which are in the blob database, only the
    /// lengths are compared.
    static func forEachDifference(
        _ old: ColumnView, from oldStart: Int, _ new: ColumnView, from newStart: Int, count: Int,
        type: ColumnType, _ body: (Int) -> Void
    ) {
        @inline(__always)
        func compare(_ isSame: (_ old: Int, _ new: Int) -> Bool) {
            for row in 0..<count {
                let (a, b) = (oldStart &+ row, newStart &+ row)
                let isNull = new.isNull(at: b)
                if old.isNull(at: a) != isNull || (!isNull && !isSame(a, b)) { body(row) }
            }
        }
        switch type.layout {
        case .integers
        where old.nulls == nil && new.nulls == nil && count > 8
            && old.encoding != .absent && new.encoding != .absent:
            forEachDifferentInteger(old, from: oldStart, new, from: newStart, count: count, body)
        case .integers: compare { old.integer(at: $0) == new.integer(at: $1) }
        case .bits: compare { old.boolean(at: $0) == new.boolean(at: $1) }
        case .floats: compare { old.float(at: $0).bitPattern == new.float(at: $1).bitPattern }
        case .doubles:
            compare { old.double(at: $0).bitPattern == new.double(at: $1).bitPattern }
        case .fixed12: compare { old.fixed12(at: $0) == new.fixed12(at: $1) }
        case .fixed16: compare { old.fixed16(at: $0) == new.fixed16(at: $1) }
        case .heap:
            compare {
                old.isBlob(at: $0) == new.isBlob(at: $1)
                    && ByteComparison.areEqual(old.heapBytes(at: $0), new.heapBytes(at: $1))
            }
        }
    }

    /// As ``forEachDifference(_:from:_:from:count:type:_:)`` for integers of which none is null.
    /// Decoding a block of them costs less than asking for the encoding of each.
    private static func forEachDifferentInteger(
        _ old: ColumnView, from oldStart: Int, _ new: ColumnView, from newStart: Int, count: Int,
        _ body: (Int) -> Void
    ) {
        let (before, now) = (oldStart &+ count, newStart &+ count)
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: before &+ now) { values in
            guard let a = values.baseAddress else { return }
            let b = a + before
            old.decodeIntegers(count: before, into: a)
            new.decodeIntegers(count: now, into: b)
            for row in 0..<count where a[oldStart &+ row] != b[newStart &+ row] { body(row) }
        }
    }
}
