// Which managed object a wrapper belongs to. Only wrappers of `Encodable` classes know it:
// synthesised code passes a wrapper to a container without its object. The address lies in bits
// that nothing else needs, so that no accessor grows, and it is not counted: a wrapper is a
// part of its object.

/// The address of an object in the head of a wrapper.
enum PersistedOwner {
    /// Where ``Persisted/roleOrOwner`` and ``Persisted/ownerLow`` are, whatever the value is.
    private static let highOffset = MemoryLayout<UInt16>.size
    private static let lowOffset = MemoryLayout<UInt32>.size

    /// Tells the wrapper at an address its object. It stays without one if the address needs
    /// more than 48 bits, which no allocator uses unless it is asked to.
    static func set(_ owner: UnsafeMutableRawPointer, at wrapper: UnsafeMutableRawPointer) {
        assert(MemoryLayout<Persisted<Bool>>.offset(of: \.roleOrOwner) == highOffset)
        assert(MemoryLayout<Persisted<Bool>>.offset(of: \.ownerLow) == lowOffset)
        let address = UInt64(UInt(bitPattern: owner))
        if address >> 48 != 0 { return }
        (wrapper + highOffset).storeBytes(of: UInt16(address >> 32), as: UInt16.self)
        (wrapper + lowOffset).storeBytes(of: UInt32(truncatingIfNeeded: address), as: UInt32.self)
    }
}

extension Persisted {
    /// What the declaration says of the property, read once per class from an instance that is
    /// unmanaged.
    var role: PersistedRole {
        guard column == 0,
            let role = PersistedRole(rawValue: UInt8(truncatingIfNeeded: roleOrOwner))
        else { return .plain }
        return role
    }

    /// The managed object that the wrapper is a part of; nil if it is unmanaged, or if its
    /// class is not `Encodable`.
    ///
    /// The caller promises that the object lives: a copy of the wrapper does not keep it.
    var owner: ObjectBase? {
        if column == 0 { return nil }
        let address = UInt(roleOrOwner) << 32 | UInt(ownerLow)
        return UnsafeRawPointer(bitPattern: address).map {
            Unmanaged<ObjectBase>.fromOpaque($0).takeUnretainedValue()
        }
    }
}
