/// Adding and removing rows.
extension MutableCluster {
    /// Inserts a row, zero or null in every column, before the row at `row` (`count` appends).
    /// O(1) at the end, else O(rows).
    func insertRow(_ key: Int64, at row: Int) {
        precondition(count < capacity, "a full cluster is split before a row is added")
        noteRowsChanged()
        hasAddedRows = true
        let isAppending = row == count
        if unsafeColumns[0].encoding == .sequence {
            if count == 0 {
                unsafeColumns[0].base = key
            } else if !isAppending || key != unsafeColumns[0].base &+ Int64(count) {
                makeMutable(0)
            }
        }
        for position in 0..<columnCount {
            guard let kind = kinds.byPosition[position], !kind.isRowKey else { continue }
            let encoding = unsafeColumns[position].encoding
            if encoding == .absent || (position == 0 && encoding == .sequence) {
                unsafeColumns[position].count &+= 1
                continue
            }
            if !unsafeColumns[position].isMutable { makeMutable(position) }
            if !isAppending { shiftUp(position, kind.type, from: row) }
            if let nulls = unsafeColumns[position].nulls {
                Bitmap.set(UnsafeMutableRawPointer(mutating: nulls), row, true)
            }
            unsafeColumns[position].count &+= 1
        }
        if unsafeColumns[0].isMutable {
            UnsafeMutableRawPointer(mutating: unsafeColumns[0].data).storeBytes(
                of: key, toByteOffset: row &<< 3, as: Int64.self)
        }
        count &+= 1
        aliasRowKeys()
    }

    /// Inserts a row into a leaf of non-null 8-byte elements. An earlier insertion has already
    /// marked the leaf as written.
    @inline(__always)
    func insertWord(_ word: UInt64, at row: Int) {
        let view = unsafeColumns + CollectionLeaf.valuesPosition
        let place = UnsafeMutableRawPointer(mutating: view.pointee.data) + row &<< 3
        if row < count { (place + 8).copyMemory(from: place, byteCount: (count &- row) &<< 3) }
        place.storeBytes(of: word, as: UInt64.self)
        view.pointee.count &+= 1
        count &+= 1
    }

    /// Opens a gap for one zero row.
    private func shiftUp(_ position: Int, _ type: ColumnType, from row: Int) {
        let values = UnsafeMutableRawPointer(mutating: unsafeColumns[position].data)
        if type.layout == .bits {
            Bitmap.shiftUp(values, from: row, count: count)
        } else {
            let width = type.fixedWidth ?? 8
            (values + (row + 1) * width).copyMemory(
                from: values + row * width, byteCount: (count - row) * width)
            (values + row * width).initializeMemory(as: UInt8.self, repeating: 0, count: width)
        }
        forEachBitmap(position) { Bitmap.shiftUp($0, from: row, count: count) }
    }

    /// Calls `body` with the null and blob bitmaps of a mutable column, as far as it has them.
    @inline(__always)
    private func forEachBitmap(_ position: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
        if let nulls = unsafeColumns[position].nulls {
            body(UnsafeMutableRawPointer(mutating: nulls))
        }
        if let blobs = unsafeColumns[position].blobs {
            body(UnsafeMutableRawPointer(mutating: blobs))
        }
    }

    /// As ``keepRows(_:keptCount:)``.
    func keepRows(_ keeps: ContiguousArray<UInt8>, count: Int) {
        keeps.withUnsafeBufferPointer {
            keepRows($0.baseAddress.unsafelyUnwrapped, keptCount: count)
        }
    }

    /// Keeps the rows whose byte in `keeps` is not 0. O(rows), however many are removed.
    func keepRows(_ keeps: UnsafePointer<UInt8>, keptCount: Int) {
        if keptCount == count { return }
        noteRowsChanged()
        makeMutable(0)
        makeAllMutable()
        for position in 0..<columnCount {
            guard let kind = kinds.byPosition[position], !kind.isRowKey else { continue }
            defer { unsafeColumns[position].count = UInt32(keptCount) }
            guard unsafeColumns[position].isMutable else { continue }
            let values = UnsafeMutableRawPointer(mutating: unsafeColumns[position].data)
            switch kind.type.fixedWidth ?? (kind.type.layout == .bits ? 0 : 8) {
            case 0: Bitmap.keep(values, keeps, keptCount: keptCount, count: count)
            case 4: compact(values, keeps, keptCount, as: UInt32.self)
            case 8: compact(values, keeps, keptCount, as: UInt64.self)
            case let width: compact(values, keeps, keptCount, width: width)
            }
            forEachBitmap(position) { Bitmap.keep($0, keeps, keptCount: keptCount, count: count) }
        }
        count = keptCount
        aliasRowKeys()
    }

    /// Removes all rows of a cluster that is removed, too, and gets none any more. Copies nothing.
    func removeAllRows() {
        noteRowsChanged()
        for position in 0..<columnCount where kinds.byPosition[position] != nil {
            unsafeColumns[position].count = 0
        }
        count = 0
    }

    /// Removes one row. O(rows after it).
    func removeRow(at row: Int) {
        noteRowsChanged()
        makeMutable(0)
        makeAllMutable()
        for position in 0..<columnCount {
            guard let kind = kinds.byPosition[position], !kind.isRowKey else { continue }
            defer { unsafeColumns[position].count &-= 1 }
            guard unsafeColumns[position].isMutable else { continue }
            let values = UnsafeMutableRawPointer(mutating: unsafeColumns[position].data)
            if kind.type.layout == .bits {
                Bitmap.shiftDown(values, to: row, count: count)
            } else {
                let width = kind.type.fixedWidth ?? 8
                (values + row * width).copyMemory(
                    from: values + (row + 1) * width, byteCount: (count - row - 1) * width)
                (values + (count - 1) * width).initializeMemory(
                    as: UInt8.self, repeating: 0, count: width)
            }
            forEachBitmap(position) { Bitmap.shiftDown($0, to: row, count: count) }
        }
        count &-= 1
        aliasRowKeys()
    }

    private func compact<Value: BitwiseCopyable & FixedWidthInteger>(
        _ values: UnsafeMutableRawPointer, _ keeps: UnsafePointer<UInt8>, _ keptCount: Int,
        as: Value.Type
    ) {
        let values = values.assumingMemoryBound(to: Value.self)
        var target = 0
        for row in 0..<count {
            values[target] = values[row]
            target &+= Int(keeps[row] & 1)
        }
        (values + keptCount).update(repeating: 0, count: count - keptCount)
    }

    private func compact(
        _ values: UnsafeMutableRawPointer, _ keeps: UnsafePointer<UInt8>, _ keptCount: Int,
        width: Int
    ) {
        var target = 0
        for row in 0..<count where keeps[row] != 0 {
            if target != row {
                (values + target * width).copyMemory(from: values + row * width, byteCount: width)
            }
            target += 1
        }
        (values + keptCount * width).initializeMemory(
            as: UInt8.self, repeating: 0, count: (count - keptCount) * width)
    }
}
