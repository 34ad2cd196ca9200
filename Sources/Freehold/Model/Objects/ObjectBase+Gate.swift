import FreeholdStorage

extension ObjectBase {
    /// Checks the gate and finds the row before every read of a managed object. Returns the view
    /// of a column, to be read at `row`.
    ///
    /// Costs one comparison of threads and one of generations while nothing has changed.
    @inline(__always)
    final func columnForReading(_ position: Int) -> UnsafeMutablePointer<ColumnView> {
        columnAtHand(position) ?? findColumn(position)
    }

    /// Does the same if that takes no more than the two comparisons; otherwise returns nil.
    @inline(__always)
    final func columnAtHand(_ position: Int) -> UnsafeMutablePointer<ColumnView>? {
        guard let gate, gate.pointee.admitsCaller, gate.pointee.generation == generation else {
            return nil
        }
        return columns.unsafelyUnwrapped + position
    }

    /// Does the same after ``columnAtHand(_:)`` returned nil.
    @inline(never)
    final func findColumn(_ position: Int) -> UnsafeMutablePointer<ColumnView> {
        guard let gate else { return record(position) }
        if !gate.pointee.admitsCaller { checkReadSlowly(position) }
        if gate.pointee.generation != generation { relocate(position) }
        return columns.unsafelyUnwrapped + position
    }

    /// Checks the gate before a computed property is read, whose value is not in the row: the
    /// row must exist.
    @inline(__always)
    final func checkForReading(_ position: Int) {
        guard let gate else { return }
        if !gate.pointee.admitsCaller { checkReadSlowly(position) }
        if gate.pointee.generation != generation { relocate(position) }
    }

    @inline(never)
    private final func checkReadSlowly(_ position: Int) {
        let gate = gate.unsafelyUnwrapped
        if gate.pointee.admitsActor { return }
        let core = core.unsafelyUnwrapped
        let isTracked = gate != core.gate
        if !isTracked || !(core.gate.pointee.admitsCaller || core.gate.pointee.admitsActor) {
            core.checkConfinementSlowly(.read(object: self, columnPosition: position))
        }
        if isTracked { core.noteTrackedRead(of: self, ColumnID(position: position)) }
    }

    /// Finds the row again after the realm moved on. Traps if the object was deleted or its
    /// realm invalidated. If damage is known, a missing row reads as zero and null.
    @inline(never)
    final func relocate(_ position: Int) {
        let core = core.unsafelyUnwrapped
        if core.isInvalidated(since: generation) {
            violation(.deletedObject(self, columnPosition: position))
        }
        let binding = binding.unsafelyUnwrapped.takeUnretainedValue()
        guard let place = core.locate(key, of: binding) else {
            if !core.store.isDamaged { violation(.deletedObject(self, columnPosition: position)) }
            return readNothing(binding)
        }
        columns = place.cluster.readyColumns
        cluster = UnsafeClusterReference(place.cluster)
        row = place.row
        generation = core.generation
    }

    /// Makes reads find no values. An object created without a row already has this state; if it
    /// is frozen, several threads may be reading it.
    private final func readNothing(_ binding: ClassBinding) {
        let unreached = RealmCore.unreachedGeneration(inEpochOf: generation)
        if generation == unreached { return }
        let nowhere = binding.nowhere()
        columns = nowhere.unsafeColumns
        cluster = UnsafeClusterReference(nowhere)
        row = 0
        generation = unreached
    }

    /// Calls `body` with the text or bytes of a property, in a buffer that is valid during
    /// `body`; empty for null.
    @inline(__always)
    final func withBytes<Result>(_ position: Int, _ body: (UnsafeRawBufferPointer) -> Result)
        -> Result
    {
        let view = columnForReading(position)
        if view.pointee.isBlob(at: row) { return withBlob(position, body) }
        return body(view.pointee.heapBytes(at: row))
    }

    /// Calls `body` like ``withBytes(_:_:)``; returns nil for null.
    @inline(__always)
    final func withOptionalBytes<Result>(
        _ position: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        let view = columnForReading(position)
        if view.pointee.isNull(at: row) { return nil }
        if view.pointee.isBlob(at: row) { return withBlob(position, body) }
        return body(view.pointee.heapBytes(at: row))
    }

    @inline(never)
    private final func withBlob<Result>(_ position: Int, _ body: (UnsafeRawBufferPointer) -> Result)
        -> Result
    {
        let binding = binding.unsafelyUnwrapped.takeUnretainedValue()
        return core.unsafelyUnwrapped.source.table(binding.table)
            .withBlob(column: ColumnID(position: position), key: RowKey(rawValue: key), body)
    }

    /// The column, if a value of fixed width can be stored in place at `row`. For that, the gate
    /// is open, the row has not moved, and this transaction has already written the column. Nil
    /// sends the caller to the slow path, ``rowForWriting(_:)``, which also reports misuse.
    @inline(__always)
    final func columnForWritingInPlace(_ position: Int) -> UnsafeMutablePointer<ColumnView>? {
        guard let gate, gate.pointee.generation == generation, let changes = gate.pointee.changes,
            gate.pointee.ownerThread == currentThreadToken(), position != Int(primaryKeyPosition)
        else { return nil }
        let view = columns.unsafelyUnwrapped + position
        guard view.pointee.isWritten else { return nil }
        changes._withUnsafeGuaranteedRef { $0.values &+= 1 }
        return view
    }

    /// Checks the gate before every write: the realm must be in a write transaction, the object
    /// alive, and the property not the primary key. Returns the writable row.
    @inline(__always)
    final func rowForWriting(_ position: Int) -> MutableRow {
        guard let core else { writeToRecorder() }
        if !core.gate.pointee.admitsCaller && !core.gate.pointee.admitsActor {
            core.checkConfinementSlowly(.write(object: self, columnPosition: position))
        }
        guard let writeSet = core.writeSet else { refuseWriteOutsideTransaction(position) }
        if core.draft != nil { core.noteTrackedEdit(of: self, ColumnID(position: position)) }
        if position == Int(primaryKeyPosition) { refusePrimaryKey(position) }
        if core.generation != generation { relocate(position) }
        let cluster = cluster.unsafelyUnwrapped.unmanaged.takeUnretainedValue()
        if cluster.isMutable {
            let binding = binding.unsafelyUnwrapped.takeUnretainedValue()
            return MutableRow(
                table: binding.mutableTable(in: writeSet),
                cluster: unsafeDowncast(cluster, to: MutableCluster.self), row: row)
        }
        return makeRowMutable(position, writeSet)
    }

    /// As in Realm, a deleted object is reported first.
    @inline(never)
    private final func refuseWriteOutsideTransaction(_ position: Int) -> Never {
        if let core, !core.isFrozen, core.isDeleted(self) {
            violation(.deletedObject(self, columnPosition: position))
        }
        violation(.writeOutsideTransaction(self, columnPosition: position))
    }

    @inline(never)
    private final func makeRowMutable(_ position: Int, _ writeSet: WriteSet) -> MutableRow {
        let core = core.unsafelyUnwrapped
        let table = binding.unsafelyUnwrapped.takeUnretainedValue().mutableTable(in: writeSet)
        guard
            let found = table.mutableRow(RowKey(rawValue: key))
                ?? core.insertMissingRow(key, in: table)
        else { violation(.deletedObject(self, columnPosition: position)) }
        core.noteLayoutChanges()
        relocate(position)
        return found
    }

    @inline(never)
    private final func refusePrimaryKey(_ position: Int) -> Never {
        let binding = binding.unsafelyUnwrapped.takeUnretainedValue()
        let property = binding.schema.primaryKeyProperty?.name ?? "?"
        misuse(
            "Primary key can't be changed after an object is inserted.",
            remedy: """
                Assigned: '\(binding.schema.className).\(property)'. Create another object \
                with the new key and delete this one, or set the key before Realm.add.
                """)
    }
}

extension ColumnID {
    /// The column at a position of ``ClusterView/columns``.
    @inline(__always)
    init(position: Int) { self.init(rawValue: UInt16(truncatingIfNeeded: position)) }
}
