// The managed object that a wrapper belongs to. Only wrappers of `Encodable` classes store it,
// because synthesised code passes a wrapper to a container without its object. The address uses
// otherwise unused bits, so that no accessor grows. It is not retained: a wrapper is part of its
// object.

/// The address of an object in the first fields of a wrapper.
enum PersistedOwner {
    /// The offsets of ``Persisted/roleOrOwner`` and ``Persisted/ownerLow``, the same for every
    /// value type.
    private static let highOffset = MemoryLayout<UInt16>.size
    private static let lowOffset = MemoryLayout<UInt32>.size

    /// Stores the object's address in the wrapper at an address. Stores none if the address
    /// needs more than 48 bits, which allocators use only on request.
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
    /// The declared role of the property, read once per class from an unmanaged instance.
    var role: PersistedRole {
        guard column == 0,
            let role = PersistedRole(rawValue: UInt8(truncatingIfNeeded: roleOrOwner))
        else { return .plain }
        return role
    }

    /// The managed object that the wrapper is part of; nil if it is unmanaged, or if its class
    /// is not `Encodable`.
    ///
    /// The caller ensures that the object lives: a copy of the wrapper does not retain it.
    var owner: ObjectBase? {
        if column == 0 { return nil }
        let address = UInt(roleOrOwner) << 32 | UInt(ownerLow)
        return UnsafeRawPointer(bitPattern: address).map {
            Unmanaged<ObjectBase>.fromOpaque($0).takeUnretainedValue()
        }
    }
}
