/// Whether a loop may move the accessor that it handed out last to the next row.
///
/// It may if nobody can tell: the class stores nothing but persisted properties, so that an
/// accessor is nothing but a place (``ClassSchema/hasOnlyPersistedState``), and the loop's body
/// did not keep the accessor in any way, weak and unowned references included.
enum AccessorReuse {
    /// Whether the caller's reference is the only one of any kind. Constant time.
    @inline(__always)
    static func isUnshared(_ object: inout ObjectBase?) -> Bool {
        guard object != nil, isKnownUniquelyReferenced(&object) else { return false }
        return unsafeHasNoWeakOrUnownedReferences(&object)
    }

    /// `isKnownUniquelyReferenced` counts strong references only. The object's header, its
    /// second word, has the rest: in an object that nobody but its one owner refers to, the
    /// word is exactly 3 (the object's own unowned reference, and the flag of pure Swift
    /// objects); a weak reference replaces the word by a pointer to a side table.
    ///
    /// A runtime with another layout would at worst answer false each time, which costs an
    /// allocation; a test would notice. Unsafe: the reference must not be nil. It is read
    /// through its address, since to copy it would be to count it.
    @inline(__always)
    private static func unsafeHasNoWeakOrUnownedReferences(_ object: inout ObjectBase?) -> Bool {
        withUnsafeBytes(of: &object) { reference in
            reference.load(as: UnsafeRawPointer.self).load(fromByteOffset: 8, as: UInt.self) == 3
        }
    }
}
