import FreeholdStorage

/// Reads and writes links to objects and to embedded objects. Called on the class that the
/// property declares.
extension ObjectBase {
    /// The object that a link of a managed object leads to, an instance of this class.
    @inline(__always)
    static func readLink(of object: ObjectBase, _ column: Int) -> ObjectBase? {
        guard let view = object.columnAtHand(column), let binding = object.binding else {
            return readLinkSlowly(of: object, column)
        }
        return follow(view, of: object, binding, column)
    }

    @inline(never)
    private static func readLinkSlowly(of object: ObjectBase, _ column: Int) -> ObjectBase? {
        let view = object.findColumn(column)
        guard let binding = object.binding else { return object.recordLink(to: self) }
        return follow(view, of: object, binding, column)
    }

    @inline(__always)
    private static func follow(
        _ view: UnsafeMutablePointer<ColumnView>, of object: ObjectBase,
        _ binding: Unmanaged<ClassBinding>, _ column: Int
    ) -> ObjectBase? {
        if view.pointee.isNull(at: object.row) { return nil }
        let key = view.pointee.integer(at: object.row)
        if let found = binding._withUnsafeGuaranteedRef({ $0.followQuickly(column, to: key) }) {
            return found
        }
        return followLink(of: binding.takeUnretainedValue(), column, to: key)
    }

    @inline(never)
    private static func followLink(of origin: ClassBinding, _ column: Int, to key: Int64)
        -> ObjectBase?
    {
        let core = origin.core
        let binding = core.binding(for: self)
        origin.noteLinkTarget(binding, of: column)
        guard let place = core.locate(key, of: binding) else {
            core.noteMissingRow(key, of: binding)
            return nil
        }
        return binding.makeAccessor(key: key, cluster: place.cluster, row: place.row)
    }

    /// Writes a link of a managed object, for either kind of object.
    static func writeAnyLink(of object: ObjectBase, _ column: Int, _ value: ObjectBase?) {
        if self is EmbeddedObject.Type {
            writeOwned(value, of: object, column)
        } else {
            writeLink(of: object, column, value)
        }
    }

    /// Makes a link of a managed object lead to another object. Adds that object to the realm if
    /// it is unmanaged.
    static func writeLink(of object: ObjectBase, _ column: Int, _ value: ObjectBase?) {
        guard let value else {
            object.rowForWriting(column).setNull(ColumnID(position: column))
            return
        }
        verifyIsExactClass(value, of: object)
        // The gate comes first, so that a refused write adds nothing. Adding may move rows, so
        // the row is looked up again.
        _ = object.rowForWriting(column)
        let key = object.core.unsafelyUnwrapped.linkTargetKey(for: value)
        object.rowForWriting(column).setInteger(ColumnID(position: column), key)
    }

    /// Traps unless a value for a link of an object is of exactly this class.
    static func verifyIsExactClass(_ value: ObjectBase, of object: ObjectBase) {
        // A class that the realm's schema lacks has only dynamic objects.
        if type(of: value) == self || value.classOfRow == self && self is any StoredClass.Type {
            return
        }
        misuse(
            """
            Invalid value '\(type(of: value).className())' of type \
            '\(type(of: value))' for '\(className())?' property of \
            '\(type(of: object).className())'.
            """,
            remedy: """
                A link points to objects of exactly the class that its property \
                declares, not of a subclass.
                """)
    }
}
