import FreeholdStorage

/// Pending changes of properties that a migration of another machine removed or renamed.
extension SharedFile {
    /// Takes such changes out of pending commits, and rejects them. As they are, they would add the
    /// properties again, to all files, where no program looks for them.
    ///
    /// - Parameters:
    ///   - migrated: The classes of the migrated snapshot.
    ///   - own: Those of the file.
    ///   - last: The number of the last own commit that the snapshot has.
    func dropRemoved(
        by migrated: Catalog, _ own: Catalog, after last: Int64, _ outbox: inout Outbox,
        _ applied: inout Applied
    ) {
        let removed = removedColumns(by: migrated, own)
        if removed.isEmpty { return }
        let commits = outbox.commits.map { pending in
            guard pending.sequence > last,
                let (rest, leftOut) = pending.commit.without(removed)
            else { return pending }
            var entry = pending.entry
            applied.note(leftOut, of: pending.sequence, pending.commit, &entry.reported)
            entry.commit = rest.encoded()
            return PendingCommit(pending.sequence, entry)
        }
        outbox.replace(commits)
    }

    /// The properties, by class, that the file has and neither the snapshot nor the program. What
    /// the program declares it has added itself.
    private func removedColumns(by migrated: Catalog, _ own: Catalog) -> [String: Set<String>] {
        guard let declaredColumns else { return [:] }
        var removed: [String: Set<String>] = [:]
        for table in own.classTables {
            guard let theirs = migrated[table.name], let declared = declaredColumns[table.name]
            else { continue }
            let names = table.columns.map(\.name).filter {
                theirs[$0] == nil && !declared.contains($0)
            }
            if !names.isEmpty { removed[table.name] = Set(names) }
        }
        return removed
    }
}

extension SharedCommit {
    /// The commit without its changes of some properties, by class; nil if it has none of them.
    fileprivate func without(_ removed: [String: Set<String>])
        -> (rest: SharedCommit, leftOut: [SharedApplier.LeftOut])?
    {
        guard
            classes.contains(where: { name, definition in
                removed[name].map { !$0.isDisjoint(with: definition.properties.keys) } ?? false
            })
        else { return nil }
        var (rest, leftOut) = (self, [SharedApplier.LeftOut]())
        var removal = FieldRemoval(removed, classes)
        func take<Value>(
            _ values: inout [String: Value], _ object: SharedReference,
            _ strip: (Value, String?) -> Value
        ) {
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                removal.isNeeded = false
                if removed[object.className]?.contains(name) == true {
                    values[name] = nil
                    removal.isNeeded = true
                } else {
                    values[name] = strip(
                        value, classes[object.className]?.properties[name]?.target)
                }
                if removal.isNeeded {
                    leftOut.append(.init(object: object, property: name, reason: .doesNotFit))
                }
            }
        }
        for index in rest.inserted.indices {
            take(&rest.inserted[index].values, rest.inserted[index].object) {
                removal.strip($0, $1)
            }
        }
        for index in rest.updated.indices {
            take(&rest.updated[index].changes, rest.updated[index].object) {
                removal.strip($0, $1)
            }
        }
        rest.updated.removeAll { $0.changes.isEmpty }
        for (name, names) in removed {
            for property in names { rest.classes[name]?.properties[property] = nil }
        }
        return (rest, leftOut)
    }
}

/// Takes properties out of embedded objects, which are values of their owners' properties.
private struct FieldRemoval {
    private let removed: [String: Set<String>]
    private let classes: [String: SharedCommit.Class]
    /// Whether something was taken out, since it was set.
    var isNeeded = false

    init(_ removed: [String: Set<String>], _ classes: [String: SharedCommit.Class]) {
        (self.removed, self.classes) = (removed, classes)
    }

    /// - Parameter target: The class that the value's property embeds, or links to.
    mutating func strip(_ value: SharedValue, _ target: String?) -> SharedValue {
        guard let target else { return value }
        switch value {
        case .object(var fields):
            for name in removed[target] ?? [] where fields.removeValue(forKey: name) != nil {
                isNeeded = true
            }
            for (name, field) in fields {
                fields[name] = strip(field, classes[target]?.properties[name]?.target)
            }
            return .object(fields)
        case .list(let elements): return .list(strip(elements, target))
        case .map(var entries):
            for (key, entry) in entries { entries[key] = strip(entry, target) }
            return .map(entries)
        default: return value
        }
    }

    mutating func strip(_ change: SharedCommit.Change, _ target: String?) -> SharedCommit.Change {
        guard let target else { return change }
        switch change {
        case .assign(let value): return .assign(strip(value, target))
        case .add, .set: return change
        case .list(var edits):
            for index in edits.edits.indices {
                var edit = edits.edits[index]
                edit.removed = strip(edit.removed, target)
                edit.inserted = strip(edit.inserted, target)
                if let value = edit.before { edit.before = strip(value, target) }
                if let value = edit.after { edit.after = strip(value, target) }
                edits.edits[index] = edit
            }
            return .list(edits)
        case .map(var changes):
            for case (let key, let value?) in changes { changes[key] = strip(value, target) }
            return .map(changes)
        }
    }

    private mutating func strip(_ values: [SharedValue], _ target: String) -> [SharedValue] {
        var stripped: [SharedValue] = []
        for value in values { stripped.append(strip(value, target)) }
        return stripped
    }
}
