import FreeholdStorage

extension MutableStoredCollection {
    func insert(_ value: ModelElement, at index: Int) {
        switch value {
        case .mixed(let bytes):
            if let bytes {
                bytes.withUnsafeBytes { insert(mixed: $0, at: index) }
            } else {
                insert(mixed: nil, at: index)
            }
        case .scalar(.link(let key)): insert(link: key, at: index)
        case .scalar(.null) where kind.type == .link: insert(link: nil, at: index)
        case .scalar(let value): insert(at: index).store(value)
        }
    }

    func set(_ value: ModelElement, at index: Int) {
        switch value {
        case .mixed(let bytes):
            if let bytes {
                bytes.withUnsafeBytes { set(mixed: $0, at: index) }
            } else {
                set(mixed: nil, at: index)
            }
        case .scalar(.link(let key)): set(link: key, at: index)
        case .scalar(.null) where kind.type == .link: set(link: nil, at: index)
        case .scalar(let value): element(at: index).store(value)
        }
    }

    func find(_ value: ModelElement) -> (index: Int, isFound: Bool) {
        switch value {
        case .mixed(let bytes):
            stored.find(mixed: bytes.flatMap { $0.withUnsafeBytes { MixedValue(decoding: $0) } })
        case .scalar(let value): stored.find(value)
        }
    }
}

extension MutableRow {
    func store(_ value: ScanValue) {
        let column = MutableStoredCollection.values
        switch value {
        case .null: setNull(column)
        case .integer(let value): setInteger(column, value)
        case .boolean(let value): setBoolean(column, value)
        case .float(let value): setFloat(column, value)
        case .double(let value): setDouble(column, value)
        case .text(let bytes), .bytes(let bytes): bytes.withUnsafeBytes { setBytes(column, $0) }
        case .fixed(let value):
            if value.kind == .fixed12 {
                setFixed12(column, value.fixed12)
            } else {
                setFixed16(column, value.fixed16)
            }
        case .decimal(let low, let high): setFixed16(column, (low, high))
        case .link, .object, .nested: fatalError()
        case .timestamp(let value): setDouble(column, value)
        }
    }
}
