@testable import FreeholdStorage

/// The contents of a shared realm as plain values, and the rules of applying commits once more,
/// written without a file.
struct SharedModel: Equatable {
    var objects: [SharedReference: [String: SharedValue]] = [:]

    init() {}

    /// What a version has.
    init(of source: TableSource) {
        let rows = SharedRows(source)
        rows.forEachObject { object, row, table in objects[object] = rows.values(row, of: table) }
    }

    mutating func apply(_ commit: SharedCommit) {
        let gone = Set(commit.deleted.filter { objects[$0] != nil })
        for object in gone { objects[object] = nil }
        for (object, values) in objects {
            for (name, value) in values {
                let rest = value.withoutLinks { gone.contains($0) }
                if rest != value { set(object, name, rest) }
            }
        }
        for insertion in commit.inserted where objects[insertion.object] == nil {
            objects[insertion.object] = [:]
        }
        for insertion in commit.inserted {
            for (name, value) in insertion.values { set(insertion.object, name, value) }
        }
        for update in commit.updated where objects[update.object] != nil {
            for (name, change) in update.changes {
                let old =
                    objects[update.object]?[name]
                    ?? initial(commit.classes[update.object.className]?.properties[name])
                if let new = change.applied(to: old) { set(update.object, name, new) }
            }
        }
    }

    private mutating func set(_ object: SharedReference, _ name: String, _ value: SharedValue) {
        let known = objects
        let value = value.withoutLinks { known[$0] == nil }
        let isInitial = isInitial(value, name)
        objects[object]?[name] = isInitial ? nil : value
    }

    /// Names of properties that cannot be null begin with their zero.
    private func isInitial(_ value: SharedValue, _ name: String) -> Bool {
        switch value {
        case .null: true
        case .integer(0): name.hasPrefix("int") || name.hasPrefix("count")
        case .boolean(false): name == "bool"
        case .double(0): name == "double" || name == "time"
        case .text(let bytes): bytes.isEmpty && name == "text"
        default:
            value.isEmptyCollection && !name.hasPrefix("any")
                || value == .map([:])
                    && name.hasPrefix("map")
        }
    }

    private func initial(_ property: SharedCommit.Property?) -> SharedValue {
        switch property?.collection?.shape {
        case .list: return .list([])
        case .set: return .set([])
        case .map: return .map([:])
        case nil: break
        }
        guard let property, !property.isNullable else { return .null }
        return switch property.type {
        case .integer: .integer(0)
        case .boolean: .boolean(false)
        case .double, .timestamp: .double(0)
        case .text: .text([])
        default: .null
        }
    }
}
