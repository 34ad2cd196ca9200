/// Decides whether a loop may move the accessor that it handed out last to the next row.
///
/// The move must not be observable. So the class must store only persisted properties
/// (``ClassSchema/hasOnlyPersistedState``), and the loop's body must not have kept the accessor,
/// not even by a weak or unowned reference.
enum AccessorReuse {
    /// Whether the caller holds the only reference of any kind. Constant time.
    @inline(__always)
    static func isUnshared(_ object: inout ObjectBase?) -> Bool {
        guard object != nil, isKnownUniquelyReferenced(&object) else { return false }
        return unsafeHasNoWeakOrUnownedReferences(&object)
    }

    /// Whether only strong references exist, which `isKnownUniquelyReferenced` counts.
    ///
    /// The other counts are in the second word of the object's header. In an object with one
    /// owner, the word is exactly 3: the object's own unowned reference, and the flag of pure
    /// Swift objects. A weak reference replaces the word by a pointer to a side table.
    ///
    /// With another runtime layout, the answer would be false each time, which costs an
    /// allocation; a test would notice. Unsafe: the reference must not be nil. It is read through
    /// its address, because copying it would change the count.
    @inline(__always)
    private static func unsafeHasNoWeakOrUnownedReferences(_ object: inout ObjectBase?) -> Bool {
        withUnsafeBytes(of: &object) { reference in
            reference.load(as: UnsafeRawPointer.self).load(fromByteOffset: 8, as: UInt.self) == 3
        }
    }
}
