/// Private buffers for columns that are written.
extension MutableCluster {
    /// Copies a column into private buffers. O(capacity), once per column.
    @inline(never)
    func makeMutable(_ position: Int) {
        guard buffers[position]?.values == nil, let kind = kinds.byPosition[position] else {
            return
        }
        precondition(
            !kind.isRowKey,
            "the primary key that is the row key is written through the row keys only")
        let old = unsafeColumns[position]
        let width = kind.type.fixedWidth
        let size =
            width.map { $0 * capacity }
            ?? (kind.type.layout == .bits ? StoredColumn.bitmapSize(capacity) : capacity * 8)
        let values = Self.zeroed(size)
        var new = Buffers(values: values, nulls: kind.isNullable ? ownNulls(position) : nil)
        var view = ColumnView(
            encoding: Self.mutableEncoding(kind.type), data: values, count: count,
            isNullable: kind.isNullable,
            nulls: new.nulls.map { UnsafeRawPointer($0) }, isMutable: true)
        if kind.type.isVariableLength {
            let blobs = Self.zeroed(StoredColumn.bitmapSize(capacity))
            if let oldBlobs = old.blobs {
                blobs.copyMemory(from: oldBlobs, byteCount: StoredColumn.bitmapSize(count))
            }
            Bitmap.clear(blobs, from: count, to: capacity)
            new.blobs = blobs
            let length = old.encoding == .absent ? 0 : Int(old.base)
            new.heapCapacity = max(length + length / 4, capacity * 8)
            let heap = UnsafeMutableRawPointer.allocate(byteCount: new.heapCapacity, alignment: 8)
            var end = 0
            for row in 0..<count {
                var bytes = old.heapBytes(at: row)
                // Only damaged offsets can overlap and so exceed the heap's size; the commit
                // finds the damage.
                if bytes.count > new.heapCapacity - end {
                    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
                }
                if let source = bytes.baseAddress, !bytes.isEmpty {
                    (heap + end).copyMemory(from: source, byteCount: bytes.count)
                }
                Self.storeSpan(values, row, end, bytes.count)
                end += bytes.count
            }
            new.heap = heap
            view.heap = UnsafeRawPointer(heap)
            view.blobs = UnsafeRawPointer(blobs)
            view.base = Int64(end)
        } else if old.encoding == view.encoding {
            values.copyMemory(
                from: old.data, byteCount: StoredColumn.valuesSize(old.encoding, count))
            if kind.type.layout == .bits { Bitmap.clear(values, from: count, to: capacity) }
        } else if kind.type.layout == .integers {
            old.decodeIntegers(count: count, into: values.assumingMemoryBound(to: Int64.self))
        }
        buffers[position]?.deallocate()
        buffers[position] = new
        unsafeColumns[position] = view
        if position == 0 { aliasRowKeys() }
    }

    /// A copy of a column's nulls, with room for `capacity` rows.
    func ownNulls(_ position: Int) -> UnsafeMutableRawPointer {
        let nulls = Self.zeroed(StoredColumn.bitmapSize(capacity))
        if let old = unsafeColumns[position].nulls {
            nulls.copyMemory(from: old, byteCount: StoredColumn.bitmapSize(count))
        } else if unsafeColumns[position].encoding == .absent {
            nulls.initializeMemory(
                as: UInt8.self, repeating: 0xFF, count: StoredColumn.bitmapSize(count))
        }
        Bitmap.clear(nulls, from: count, to: capacity)
        return nulls
    }

    func makeAllMutable() {
        for position in 1..<columnCount {
            guard let kind = kinds.byPosition[position], !kind.isRowKey else { continue }
            if unsafeColumns[position].encoding != .absent { makeMutable(position) }
        }
        if unsafeColumns[0].encoding != .sequence { makeMutable(0) }
    }

    private static func mutableEncoding(_ type: ColumnType) -> ColumnEncoding {
        switch type.layout {
        case .integers: .integer64
        case .bits: .bits
        case .floats: .float32
        case .doubles: .float64
        case .fixed12: .fixed12
        case .fixed16: .fixed16
        case .heap: .spans
        }
    }

    private static func zeroed(_ size: Int) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 8)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(size, 1))
        return memory
    }
}
