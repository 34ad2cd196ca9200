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
                let (rest, leftOut) = pending.commit.without(removed, undo: pending.undo)
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
    ///
    /// - Parameter undo: Takes the commit back.
    fileprivate func without(_ removed: [String: Set<String>], undo: SharedCommit)
        -> (rest: SharedCommit, leftOut: [SharedApplier.LeftOut])?
    {
        guard
            classes.contains(where: { name, definition in
                removed[name].map { !$0.isDisjoint(with: definition.properties.keys) } ?? false
            })
        else { return nil }
        var (rest, leftOut) = (self, [SharedApplier.LeftOut]())
        var removal = FieldRemoval(removed, classes)
        let former = Dictionary(
            undo.updated.map { ($0.object, $0.changes) }, uniquingKeysWith: { first, _ in first })
        func take<Value>(
            _ values: inout [String: Value], _ object: SharedReference,
            _ strip: (_ name: String, Value, _ target: String?) -> Value?
        ) {
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                removal.isNeeded = removed[object.className]?.contains(name) ?? false
                let target = classes[object.className]?.properties[name]?.target
                values[name] = removal.isNeeded ? nil : strip(name, value, target)
                if removal.isNeeded {
                    leftOut.append(.init(object: object, property: name, reason: .doesNotFit))
                }
            }
        }
        for index in rest.inserted.indices {
            take(&rest.inserted[index].values, rest.inserted[index].object) {
                removal.strip($1, $2)
            }
        }
        for index in rest.updated.indices {
            let object = rest.updated[index].object
            take(&rest.updated[index].changes, object) { name, change, target in
                var old: SharedValue?
                if case .assign(let value)? = former[object]?[name] { old = value }
                return removal.strip(change, target, old: old)
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

    /// Nil for a change that is left out as a whole, because it has to do with embedded objects
    /// that were there: the migration gave them other values, which what is left of the change
    /// would not find, or would take away.
    ///
    /// - Parameter old: What the property had before; nil if that is not known.
    mutating func strip(_ change: SharedCommit.Change, _ target: String?, old: SharedValue?)
        -> SharedCommit.Change?
    {
        switch change {
        case .assign(let value):
            let stripped = strip(value, target)
            return isNeeded && old != .null ? nil : .assign(stripped)
        case .add, .set: return change
        case .list(var edits):
            // What stays beside an edit is only looked for.
            for index in edits.edits.indices {
                edits.edits[index].removed = strip(edits.edits[index].removed, target)
                edits.edits[index].inserted = strip(edits.edits[index].inserted, target)
            }
            let areInsertions = edits.edits.allSatisfy(\.removed.isEmpty)
            return isNeeded && !areInsertions ? nil : .list(edits)
        case .map(var changes):
            var former: [ContiguousArray<UInt8>: SharedValue]?
            if case .map(let entries)? = old { former = entries }
            var areNew = true
            for case (let key, let value?) in changes {
                let stripped = strip(value, target)
                if stripped != value, former.map({ $0[key] != nil }) ?? true { areNew = false }
                changes[key] = stripped
            }
            return areNew ? .map(changes) : nil
        }
    }

    private mutating func strip(_ values: [SharedValue], _ target: String?) -> [SharedValue] {
        var stripped: [SharedValue] = []
        for value in values { stripped.append(strip(value, target)) }
        return stripped
    }
}
