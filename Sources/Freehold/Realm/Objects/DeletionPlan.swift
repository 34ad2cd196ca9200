import FreeholdStorage

/// All rows that a deletion removes: the given rows, their embedded objects, and the targets of
/// cascading relationships, to any depth. Also finds whether a relationship denies the deletion.
///
/// The plan is complete before it is carried out, so a denied deletion changes nothing. It uses
/// a work list, because chains of objects have any length. Only for classes with such
/// relationships; rows of other classes are deleted directly.
struct DeletionPlan {
    /// The rows of one class to delete.
    private final class Group {
        let binding: ClassBinding
        var keys: Set<Int64> = []
        /// The rows that other rows may link to. The others are embedded objects whose owners
        /// are deleted, or have already removed their links.
        var linkedKeys: [Int64] = []

        init(_ binding: ClassBinding) { self.binding = binding }
    }

    private let core: RealmCore
    private let writeSet: WriteSet
    /// In discovery order, so owners come before what they own.
    private var groups: [Group] = []
    private var groupOfTable: [TableID: Group] = [:]
    /// Rows whose relationships have yet to be followed.
    private var work: [(group: Group, keys: [Int64])] = []

    init(_ core: RealmCore, _ writeSet: WriteSet) {
        self.core = core
        self.writeSet = writeSet
    }

    /// Adds rows of a class and everything that is deleted with them. Ignores keys without a
    /// row. O(rows to delete + their links).
    ///
    /// - Parameter areLinked: Whether other rows may link to them. False for embedded objects
    ///   that were removed from their owners.
    mutating func add(_ keys: [Int64], of binding: ClassBinding, areLinked: Bool = true) {
        note(keys, in: group(of: binding), areLinked: areLinked)
        while let (group, keys) = work.popLast() {
            let table = group.binding.mutableTable(in: writeSet)
            for relationship in group.binding.schema.relationships
            where relationship.rule == .cascade {
                var targets: [Int64] = []
                table.forEachLink(of: group.binding.columns[relationship.ordinal], in: keys) {
                    targets.append($0)
                }
                let target = core.bindingOfTable(for: relationship.target)
                if !targets.isEmpty {
                    note(targets, in: self.group(of: target), areLinked: !target.schema.isEmbedded)
                }
            }
        }
    }

    private mutating func group(of binding: ClassBinding) -> Group {
        if let known = groupOfTable[binding.table] { return known }
        let group = Group(binding)
        groups.append(group)
        groupOfTable[binding.table] = group
        return group
    }

    private mutating func note(_ keys: [Int64], in group: Group, areLinked: Bool) {
        let new = keys.filter { group.keys.insert($0).inserted }
        if areLinked { group.linkedKeys += new }
        if !new.isEmpty, !group.binding.schema.relationships.isEmpty { work.append((group, new)) }
    }

    /// The first object, by class and key, that cannot be deleted because of a `.deny` rule; nil
    /// if there is none.
    func denial() -> DeletionDenial? {
        for group in groups {
            for relationship in group.binding.schema.relationships where relationship.rule == .deny
            {
                let table = group.binding.mutableTable(in: writeSet)
                let going =
                    groupOfTable[core.bindingOfTable(for: relationship.target).table]?.keys ?? []
                for key in group.keys.sorted() {
                    var isDenied = false
                    table.forEachLink(
                        of: group.binding.columns[relationship.ordinal], in: CollectionOfOne(key)
                    ) { isDenied = isDenied || !going.contains($0) }
                    if isDenied {
                        return DeletionDenial(core, group.binding, key: key, relationship)
                    }
                }
            }
        }
        return nil
    }

    func carryOut() throws(StorageError) {
        for group in groups {
            let table = group.binding.mutableTable(in: writeSet)
            try table.deleteRows(group.linkedKeys)
            if group.linkedKeys.count == group.keys.count { continue }
            try table.deleteRows(
                group.keys.subtracting(group.linkedKeys).sorted(), areUnlinked: true)
        }
    }
}

/// The reason why an object cannot be deleted.
struct DeletionDenial {
    let message: String

    init(_ core: RealmCore, _ binding: ClassBinding, key: Int64, _ relationship: Relationship) {
        let schema = binding.schema
        let property = schema.properties[relationship.ordinal].name
        var name = "an object of type '\(schema.className)'"
        if !core.hidesValues, let primaryKey = schema.primaryKeyProperty,
            let object = core.accessor(key, of: binding)
        {
            let value = object[primaryKey.name]
            name = "'\(schema.className)' with the primary key \(value.map { "\($0)" } ?? "null")"
        }
        message = """
            Cannot delete \(name): its property '\(property)' has the delete rule .deny, and \
            leads to an object of type '\(relationship.target.className())' that is not \
            deleted with it. Delete that object in the same call, or take it out of \
            '\(property)' first.
            """
    }
}
