/// Setting values.
extension MutableCluster {
    /// The address for writing a fixed-width value; clears the row's null.
    @inline(__always)
    private func cell(_ position: Int, _ row: Int, width: Int) -> UnsafeMutableRawPointer {
        if !unsafeColumns[position].isWritten {
            if !unsafeColumns[position].isMutable { makeMutable(position) }
            noteFirstValue(position)
        }
        if let nulls = unsafeColumns[position].nulls {
            Bitmap.set(UnsafeMutableRawPointer(mutating: nulls), row, false)
        }
        return UnsafeMutableRawPointer(mutating: unsafeColumns[position].data) + row &* width
    }

    package func setInteger(_ position: Int, _ row: Int, _ value: Int64) {
        cell(position, row, width: 8).storeBytes(of: value, as: Int64.self)
    }

    package func setDouble(_ position: Int, _ row: Int, _ value: Double) {
        cell(position, row, width: 8).storeBytes(of: value, as: Double.self)
    }

    package func setFloat(_ position: Int, _ row: Int, _ value: Float) {
        cell(position, row, width: 4).storeBytes(of: value, as: Float.self)
    }

    package func setFixed12(_ position: Int, _ row: Int, _ value: (UInt64, UInt32)) {
        let target = cell(position, row, width: 12)
        target.storeBytes(of: value.0, as: UInt64.self)
        target.storeBytes(of: value.1, toByteOffset: 8, as: UInt32.self)
    }

    package func setFixed16(_ position: Int, _ row: Int, _ value: (UInt64, UInt64)) {
        let target = cell(position, row, width: 16)
        target.storeBytes(of: value.0, as: UInt64.self)
        target.storeBytes(of: value.1, toByteOffset: 8, as: UInt64.self)
    }

    package func setBoolean(_ position: Int, _ row: Int, _ value: Bool) {
        let bits = cell(position, row, width: 0)
        Bitmap.set(bits, row, value)
    }

    /// Sets the heap bytes of a row: the value, or the length of a blob.
    func setHeapBytes(_ position: Int, _ row: Int, _ value: UnsafeRawBufferPointer, isBlob: Bool) {
        _ = cell(position, row, width: 8)
        if let blobs = unsafeColumns[position].blobs {
            Bitmap.set(UnsafeMutableRawPointer(mutating: blobs), row, isBlob)
        }
        let values = UnsafeMutableRawPointer(mutating: unsafeColumns[position].data)
        let oldLength = Int(values.load(fromByteOffset: row &<< 3 &+ 4, as: UInt32.self))
        var offset = Int(values.load(fromByteOffset: row &<< 3, as: UInt32.self))
        if value.count > oldLength { offset = reserveHeap(position, value.count) }
        if let source = value.baseAddress, !value.isEmpty {
            // Memory may overlap: the value may come from this very heap.
            let target =
                UnsafeMutableRawPointer(mutating: unsafeColumns[position].heap.unsafelyUnwrapped)
                + offset
            target.copyMemory(from: source, byteCount: value.count)
        }
        Self.storeSpan(values, row, offset, value.count)
    }

    /// Sets a row to null, and its value to zero or empty.
    func setNull(_ position: Int, _ row: Int) {
        if !unsafeColumns[position].isMutable {
            if unsafeColumns[position].encoding == .absent, unsafeColumns[position].isNullable {
                return
            }
            makeMutable(position)
        }
        guard let nulls = unsafeColumns[position].nulls else { return }
        if !unsafeColumns[position].isWritten { noteFirstValue(position) }
        clearValue(position, row)
        Bitmap.set(UnsafeMutableRawPointer(mutating: nulls), row, true)
    }

    /// Sets many links to null, as when their target is deleted.
    ///
    /// While no other value of the column is set, its values stay where they are, and only its
    /// nulls are copied: one bit per row instead of eight bytes. The null rows keep values that
    /// are never read.
    func setNull(_ position: Int, rows: [Int]) {
        guard keepsValuesOfNulls(position) else {
            for row in rows { setNull(position, row) }
            return
        }
        let nulls = buffers[position]?.nulls ?? ownNulls(position)
        for row in rows { Bitmap.set(nulls, row, true) }
        buffers[position] = Buffers(values: nil, nulls: nulls)
        unsafeColumns[position].nulls = UnsafeRawPointer(nulls)
        // The view's own flag stays false, because it would allow in-place writes of values.
        rememberWritten(position)
        watch?.valueChanged(position, ordinal: ordinal)
    }

    private func keepsValuesOfNulls(_ position: Int) -> Bool {
        guard !unsafeColumns[position].isMutable, let kind = kinds.byPosition[position],
            kind.isNullable, kind.type == .link
        else { return false }
        switch unsafeColumns[position].encoding {
        case .constant, .delta8, .delta16, .delta32, .integer64: return true
        // A sequence has no nulls.
        default: return false
        }
    }

    private func clearValue(_ position: Int, _ row: Int) {
        let values = UnsafeMutableRawPointer(mutating: unsafeColumns[position].data)
        guard let kind = kinds.byPosition[position] else { return }
        if kind.type.layout == .bits {
            Bitmap.set(values, row, false)
        } else {
            let width = kind.type.fixedWidth ?? 8
            (values + row * width).initializeMemory(as: UInt8.self, repeating: 0, count: width)
        }
        if let blobs = unsafeColumns[position].blobs {
            Bitmap.set(UnsafeMutableRawPointer(mutating: blobs), row, false)
        }
    }

    /// Makes room for bytes at the end of a column's heap; returns their offset. Spans of the
    /// old heap stay valid, but pointers do not.
    private func reserveHeap(_ position: Int, _ count: Int) -> Int {
        let end = Int(unsafeColumns[position].base)
        if end + count > buffers[position]!.heapCapacity {
            let capacity = max(end + count, buffers[position]!.heapCapacity * 2)
            let heap = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
            heap.copyMemory(from: buffers[position]!.heap.unsafelyUnwrapped, byteCount: end)
            retiredHeaps.append(buffers[position]!.heap.unsafelyUnwrapped)
            buffers[position]!.heap = heap
            buffers[position]!.heapCapacity = capacity
            unsafeColumns[position].heap = UnsafeRawPointer(heap)
            freeRetiredHeaps()
        }
        unsafeColumns[position].base = Int64(end + count)
        return end
    }

    private func freeRetiredHeaps() {
        while retiredHeaps.count > 1 { retiredHeaps.removeFirst().deallocate() }
    }

    @inline(__always)
    static func storeSpan(
        _ values: UnsafeMutableRawPointer, _ row: Int, _ offset: Int, _ length: Int
    ) {
        values.storeBytes(
            of: UInt32(truncatingIfNeeded: offset), toByteOffset: row &<< 3, as: UInt32.self)
        values.storeBytes(
            of: UInt32(truncatingIfNeeded: length), toByteOffset: row &<< 3 &+ 4, as: UInt32.self)
    }
}
