import FreeholdStorage

// Objects whose row does not exist, and their relation to damage.
//
// Links, elements, backlinks and index entries refer to rows, and deletions keep them correct:
// within one version every referenced row exists. If one does not, the file is damaged. The
// library then records the damage (``CorruptionLog``), so that everything that can throw throws.
// It continues with an invalidated object that reads as zero or null.
//
// From then on a missing row is never treated as a deletion, which would trap: damage may have
// hidden it. Without known damage, an object whose row is gone was deleted, and traps when it is
// used.

extension ClassBinding {
    /// An object for a row that does not exist: `isInvalidated` is true.
    ///
    /// Its properties trap like those of a deleted object, or read as zero and null if damage is
    /// known.
    ///
    /// - Parameter birth: The realm's generation when the row was requested. It decides whether
    ///   the realm was invalidated since.
    func makeDanglingAccessor(key: Int64, since birth: UInt64) -> ObjectBase {
        let nowhere = nowhere()
        let object = makeAccessor(key: key, cluster: nowhere, row: 0)
        object.generation = RealmCore.unreachedGeneration(inEpochOf: birth)
        return object
    }

    /// An object for a missing row that stored data of the current version refers to. Records
    /// the damage.
    @inline(never)
    func makeMissingAccessor(key: Int64) -> ObjectBase {
        core.noteMissingRow(key, of: self)
        return makeDanglingAccessor(key: key, since: core.generation)
    }

    /// Columns without values, for objects without a row. Any thread, because several threads
    /// may use a frozen realm's binding.
    func nowhere() -> ClusterView {
        absentRowLock.withLock {
            if let absentRow { return absentRow }
            let count = columns.reduce(0) { max($0, $1.position) } + 1
            let made = ClusterView(firstKey: 0, count: 0, columnCount: count, isMutable: false)
            for property in schema.properties {
                let isNullable =
                    property.isOptional || property.type == .any || property.link != nil
                made.columns[columns[property.ordinal].position] = .absent(
                    count: 0, isNullable: isNullable)
            }
            absentRow = made
            return made
        }
    }
}

/// Protects ``ClassBinding/absentRow`` of every binding.
private let absentRowLock = Monitor()

// A stored value that is invalid means damage, or comes from another declaration, for example
// before a case of an enum was removed. Reading does not verify checksums, so this is decided
// when such a value is read. Only values that a program really stored end the process.

extension ObjectBase {
    /// The property of a column with an invalid stored value, if the file is damaged. Nil if the
    /// value is sound but comes from another declaration.
    final func damagedProperty(_ position: Int) -> PropertyDescriptor? {
        guard let core, let binding = binding?.takeUnretainedValue() else { return nil }
        let column = ColumnID(position: position)
        guard core.isDamaged(column, of: binding, key: key),
            let ordinal = binding.columns.firstIndex(of: column)
        else { return nil }
        return binding.schema.properties[ordinal]
    }

    /// Whether the file is damaged, for a caller that found invalid data in the object. If no
    /// damage is known, compares the stored data of each property with its checksums, and
    /// records damage.
    @discardableResult
    final func verifyValues() -> Bool {
        guard let core, let binding = binding?.takeUnretainedValue() else { return false }
        return core.store.isDamaged
            || binding.columns.contains { core.isDamaged($0, of: binding, key: key) }
    }
}

extension ManagedCollection {
    /// Whether the file is damaged, for a caller that found an invalid element. If no damage is
    /// known, compares the stored collection with its checksums. O(bytes of the collection).
    var isDamaged: Bool { core.isDamaged(column, of: binding, key: key) }
}

extension RealmCore {
    /// Whether the file is damaged. If no damage is known, compares the stored data of a row in
    /// a column with its checksums; without stored data there, checks the whole version.
    fileprivate func isDamaged(_ column: ColumnID, of binding: ClassBinding, key: Int64) -> Bool {
        if store.isDamaged { return true }
        let isStored = table(of: binding).verifyChecksums(of: column, key: RowKey(rawValue: key))
        return isStored ? store.isDamaged : isDamagedWhenChecked()
    }

    /// Whether the file is damaged. If no damage is known, checks the whole current version. For
    /// a caller that must otherwise end the process. O(bytes of the file).
    func isDamagedWhenChecked() -> Bool {
        if store.isDamaged { return true }
        do throws(StorageError) {
            _ = try store.check(readCommitted())
        } catch {
            store.noteDamage(error)
        }
        return store.isDamaged
    }
}

extension RealmCore {
    /// A generation of the same epoch that no realm reaches, so that an object with it always
    /// looks up its row.
    static func unreachedGeneration(inEpochOf generation: UInt64) -> UInt64 {
        generation | (epochUnit - 1)
    }

    /// Records that stored data of the current version refers to a row that does not exist.
    @inline(never)
    func noteMissingRow(_ key: Int64, of binding: ClassBinding) {
        noteMissingRow(key, ofClass: binding.schema.className)
    }

    /// Inserts a row for an object whose row is missing because of damage. Values written to the
    /// object then have a place until the transaction ends; they are never committed. Nil
    /// without known damage.
    func insertMissingRow(_ key: Int64, in table: MutableTable) -> MutableRow? {
        store.isDamaged ? table.insertRow(RowKey(rawValue: key)) : nil
    }

    /// Does the same as ``noteMissingRow(_:of:)``, by class name.
    func noteMissingRow(_ key: Int64, ofClass className: String) {
        if readsPast { return }
        store.noteDamage("Something leads to row \(key) of '\(className)', which does not exist.")
    }
}

extension Store {
    /// Records damage, described by a sentence.
    func noteDamage(_ damage: String) { noteDamage(.damaged(damage, path: path)) }
}
