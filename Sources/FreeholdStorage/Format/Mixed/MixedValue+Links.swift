extension MixedValue {
    /// Calls `body` for each occurrence of a link, without decoding other values. Impossible
    /// bytes have no links.
    static func forEachLink(in bytes: UnsafeRawBufferPointer, _ body: (LinkTarget) -> Void) {
        forEachLink(in: bytes, depth: 0, body)
    }

    private static func forEachLink(
        in bytes: UnsafeRawBufferPointer, depth: Int, _ body: (LinkTarget) -> Void
    ) {
        guard let tag = bytes.first, 11...mapTag ~= tag, depth <= greatestDepth else { return }
        var reader = MixedReader(bytes: UnsafeRawBufferPointer(rebasing: bytes[1...]))
        if tag == 11 {
            if let target = reader.target() { body(target) }
            return
        }
        guard reader.identity() != nil, let count = reader.length() else { return }
        for _ in 0..<count {
            if tag == 13, reader.part() == nil { return }
            guard let part = reader.part() else { return }
            forEachLink(in: part, depth: depth + 1, body)
        }
    }

    /// The bytes of a value without its links to some rows, which become null; nil if nothing
    /// remains.
    static func removingLinks(to table: TableID, keys: [Int64], in bytes: UnsafeRawBufferPointer)
        -> ContiguousArray<UInt8>?
    {
        let value = MixedValue(decoding: bytes)?.mappingLinks { target in
            target.table == table && keys.containsSorted(target.key) ? nil : target
        }
        return value?.encoded
    }

    /// Calls `body` for each occurrence of a link.
    func forEachTarget(_ body: (LinkTarget) -> Void) {
        switch self {
        case .link(let target): body(target)
        case .list(let values, _): for value in values { value?.forEachTarget(body) }
        case .map(let entries, _): for entry in entries { entry.value?.forEachTarget(body) }
        default: break
        }
    }

    /// The value with other links, which become null where `target` returns nil.
    func mappingLinks(_ target: (LinkTarget) -> LinkTarget?) -> MixedValue? {
        switch self {
        case .link(let old): target(old).map { .link($0) }
        case .list(let values, let identity):
            .list(ContiguousArray(values.map { $0?.mappingLinks(target) }), identity: identity)
        case .map(let entries, let identity):
            .map(
                ContiguousArray(
                    entries.map { (key: $0.key, value: $0.value?.mappingLinks(target)) }),
                identity: identity)
        default: self
        }
    }
}
