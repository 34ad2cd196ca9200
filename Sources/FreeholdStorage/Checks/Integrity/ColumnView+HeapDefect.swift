extension ColumnView {
    /// The defect of a column's texts, as the end of a sentence that begins with the column's
    /// name. Offsets must ascend without gaps, and text must be UTF-8. O(bytes).
    func heapDefect(_ count: Int, isText: Bool) -> String? {
        var end = 0
        for row in 0..<count {
            let bytes = heapBytes(at: row)
            let start = bytes.baseAddress.map { $0 - heap.unsafelyUnwrapped } ?? end
            guard start == end else {
                return ", row \(row): its text does not begin where the one before ends."
            }
            end = start + bytes.count
            if isText, !isBlob(at: row), !Self.isUTF8(bytes) {
                return ", row \(row): its text is not UTF-8."
            }
        }
        return end == Int(base) ? nil : ": \(Int(base) - end) bytes of its heap belong to no row."
    }

    static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }
}
