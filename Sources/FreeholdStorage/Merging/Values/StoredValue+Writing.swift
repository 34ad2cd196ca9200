extension MutableRow {
    /// Sets a column of single values, or an element that is no link.
    package func set(_ column: ColumnID, of type: ColumnType, to value: StoredValue) {
        switch value {
        case .plain(let value): set(column, of: type, to: value)
        case .mixed(let value): value.encoded.withUnsafeBytes { setMixed(column, $0) }
        case .list, .set, .map: preconditionFailure("A collection is set element by element.")
        }
    }

    private func set(_ column: ColumnID, of type: ColumnType, to value: ScanValue) {
        switch value {
        case .null: if type == .mixed { setMixed(column, nil) } else { setNull(column) }
        case .integer(let value): setInteger(column, value)
        case .link(let key): setInteger(column, key.rawValue)
        case .boolean(let value): setBoolean(column, value)
        case .float(let value): setFloat(column, value)
        case .double(let value), .timestamp(let value): setDouble(column, value)
        case .text(let bytes), .bytes(let bytes): bytes.withUnsafeBytes { setBytes(column, $0) }
        case .decimal(let low, let high): setFixed16(column, (low, high))
        case .fixed(let value):
            switch value.kind.layout {
            case .fixed12: setFixed12(column, value.fixed12)
            case .fixed16: setFixed16(column, value.fixed16)
            default: setInteger(column, value.integer)
            }
        case .object, .nested: preconditionFailure("Only mixed values have such a value.")
        }
    }
}

extension MutableStoredCollection {
    /// Inserts an element before the one at `index`.
    package func insert(_ value: StoredValue, at index: Int) {
        switch kind.type {
        case .link: insert(link: value.link, at: index)
        case .mixed: value.withMixedBytes { insert(mixed: $0, at: index) }
        default: insert(at: index).set(Self.values, of: kind.type, to: value)
        }
    }

    func set(_ value: StoredValue, at index: Int) {
        switch kind.type {
        case .link: set(link: value.link, at: index)
        case .mixed: value.withMixedBytes { set(mixed: $0, at: index) }
        default: element(at: index).set(Self.values, of: kind.type, to: value)
        }
    }

    /// The index of an element of a set, or where it belongs.
    package func find(_ value: StoredValue) -> (index: Int, isFound: Bool) {
        switch value {
        case .mixed(let value): stored.find(mixed: value)
        case .plain(let value): kind.type == .mixed ? stored.find(mixed: nil) : stored.find(value)
        case .list, .set, .map: preconditionFailure("An element of a set is no collection.")
        }
    }

    /// Sets or adds the value of a map's key; nil removes it.
    package func set(_ value: StoredValue?, forKey key: ContiguousArray<UInt8>) {
        let place = key.withUnsafeBytes { stored.find(key: $0) }
        guard let value else {
            if place.isFound { remove(place.index..<(place.index + 1)) }
            return
        }
        if place.isFound {
            set(value, at: place.index)
        } else {
            insert(value, at: place.index)
            key.withUnsafeBytes { setKey($0, at: place.index) }
        }
    }
}

extension StoredValue {
    fileprivate var link: RowKey? {
        if case .plain(.link(let key)) = self { return key }
        return nil
    }

    fileprivate func withMixedBytes(_ body: (UnsafeRawBufferPointer?) -> Void) {
        if case .mixed(let value) = self {
            value.encoded.withUnsafeBytes { body($0) }
        } else {
            body(nil)
        }
    }
}
