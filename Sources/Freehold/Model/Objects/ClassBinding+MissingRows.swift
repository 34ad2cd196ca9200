import FreeholdStorage

// Objects whose row does not exist, and what damage has to do with it.
//
// Links, elements, backlinks and index entries name rows, which a deletion keeps right: within
// one version every row that is named exists. Where one does not, the file is damaged. The
// library then does what it does for all damage: it remembers it (``CorruptionLog``), so that
// everything that can throw throws, and goes on with an object that is invalidated and reads as
// zero or null.
//
// From then on a missing row is never taken for a deletion, which would trap: damage may have
// hidden it. Without known damage an object whose row is gone was deleted, and traps when it is
// used.

extension ClassBinding {
    /// An object for a row that does not exist: `isInvalidated` is true.
    ///
    /// Its properties trap as those of a deleted object, or read as zero and null where damage
    /// is known.
    ///
    /// - Parameter birth: The realm's generation when the row was asked for: decides whether
    ///   the realm was invalidated since.
    func makeDanglingAccessor(key: Int64, since birth: UInt64) -> ObjectBase {
        let nowhere = nowhere()
        let object = makeAccessor(key: key, cluster: nowhere, row: 0)
        object.generation = RealmCore.unreachedGeneration(inEpochOf: birth)
        return object
    }

    /// An object for a row that something stored in the version that is read leads to, and that
    /// does not exist there. Remembers the damage.
    @inline(never)
    func makeMissingAccessor(key: Int64) -> ObjectBase {
        core.noteMissingRow(key, of: self)
        return makeDanglingAccessor(key: key, since: core.generation)
    }

    /// Columns without values, which objects without a row read. Any thread: a frozen realm's
    /// binding is asked by several.
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

// A stored value that means nothing is damage, too, or one of another declaration, as after a
// case of an enum was removed. Reading does not look at checksums, so whether it is damage is
// found out when such a value is met: only what a program really stored ends the process.

extension ObjectBase {
    /// The property in a column whose stored value means nothing, if that is because the file
    /// is damaged. Nil where it is a sound value of another declaration.
    final func damagedProperty(_ position: Int) -> PropertyDescriptor? {
        guard let core, let binding = binding?.takeUnretainedValue() else { return nil }
        let column = ColumnID(position: position)
        guard core.isDamaged(column, of: binding, key: key),
            let ordinal = binding.columns.firstIndex(of: column)
        else { return nil }
        return binding.schema.properties[ordinal]
    }

    /// Whether the file is damaged, for a caller whom what the object has surprised: if nothing
    /// is known, what is stored of each of its properties is compared with its checksums, and
    /// damage remembered.
    @discardableResult
    final func verifyValues() -> Bool {
        guard let core, let binding = binding?.takeUnretainedValue() else { return false }
        return core.store.isDamaged
            || binding.columns.contains { core.isDamaged($0, of: binding, key: key) }
    }
}

extension ManagedCollection {
    /// Whether the file is damaged, for a caller whom an element surprised: if nothing is
    /// known, what is stored of the collection is compared with its checksums. O(bytes of the
    /// collection).
    var isDamaged: Bool { core.isDamaged(column, of: binding, key: key) }
}

extension RealmCore {
    /// Whether the file is damaged: if nothing is known, what is stored of a row in a column is
    /// compared with its checksums; where nothing is, the whole version is checked.
    fileprivate func isDamaged(_ column: ColumnID, of binding: ClassBinding, key: Int64) -> Bool {
        if store.isDamaged { return true }
        let isStored = table(of: binding).verifyChecksums(of: column, key: RowKey(rawValue: key))
        return isStored ? store.isDamaged : isDamagedWhenChecked()
    }

    /// Whether the file is damaged: if nothing is known, all of the version that is read is
    /// checked. For a caller that has to end the process otherwise. O(bytes of the file).
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
    /// A generation of the same epoch that no realm reaches, so that whoever has it looks its
    /// row up.
    static func unreachedGeneration(inEpochOf generation: UInt64) -> UInt64 {
        generation | (epochUnit - 1)
    }

    /// Remembers that something stored in the version that is read leads to a row that the
    /// version lacks.
    @inline(never)
    func noteMissingRow(_ key: Int64, of binding: ClassBinding) {
        noteMissingRow(key, ofClass: binding.schema.className)
    }

    /// A row for an object that has none because the file is damaged, so that what is written
    /// to the object has a place until the transaction ends: nothing of it is committed. Nil
    /// without known damage.
    func insertMissingRow(_ key: Int64, in table: MutableTable) -> MutableRow? {
        store.isDamaged ? table.insertRow(RowKey(rawValue: key)) : nil
    }

    /// As ``noteMissingRow(_:of:)``.
    func noteMissingRow(_ key: Int64, ofClass className: String) {
        if readsPast { return }
        store.noteDamage(
            StorageError(
                .corrupted,
                """
                Something leads to row \(key) of '\(className)', which does not exist. \
                Restore the file "\(store.path)" from a backup.
                """,
                path: store.path))
    }
}
