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
        func take<Value>(_ values: inout [String: Value], _ object: SharedReference) {
            guard let names = removed[object.className] else { return }
            for name in values.keys.sorted() where names.contains(name) {
                values[name] = nil
                leftOut.append(.init(object: object, property: name, reason: .doesNotFit))
            }
        }
        for index in rest.inserted.indices {
            take(&rest.inserted[index].values, rest.inserted[index].object)
        }
        for index in rest.updated.indices {
            take(&rest.updated[index].changes, rest.updated[index].object)
        }
        rest.updated.removeAll { $0.changes.isEmpty }
        for (name, names) in removed {
            for property in names { rest.classes[name]?.properties[property] = nil }
        }
        return (rest, leftOut)
    }
}
