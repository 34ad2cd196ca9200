/// An entry of an image's list of types.
struct TypeRecord {
    private let address: UnsafeRawPointer

    static let size = 4

    /// The caller ensures that there is a record at the address.
    init(unsafeAddress: UnsafeRawPointer) { address = unsafeAddress }

    /// Nil unless the type is a non-generic class with a superclass.
    var classDescriptor: ClassDescriptor? {
        let relative = address.load(as: Int32.self)
        var descriptor = address + Int(relative & ~3)
        switch relative & 3 {
        case 0: break
        case 1: descriptor = descriptor.load(as: UnsafeRawPointer.self)
        default: return nil
        }
        return ClassDescriptor(unsafeAddress: descriptor)
    }
}

/// A class as described in its image. See ``ClassDiscovery`` for the layout.
struct ClassDescriptor {
    private let address: UnsafeRawPointer

    static let kindMask: UInt32 = 0x1f
    static let classKind: UInt32 = 16
    private static let genericFlag: UInt32 = 0x80
    static let nameOffset = 8
    static let superclassOffset = 20

    /// Nil unless the descriptor describes a non-generic class with a superclass. The caller
    /// ensures that there is a context descriptor at the address.
    init?(unsafeAddress: UnsafeRawPointer) {
        let flags = unsafeAddress.load(as: UInt32.self)
        guard flags & ClassDescriptor.kindMask == ClassDescriptor.classKind,
            flags & ClassDescriptor.genericFlag == 0,
            unsafeAddress.load(fromByteOffset: ClassDescriptor.superclassOffset, as: Int32.self)
                != 0
        else { return nil }
        address = unsafeAddress
    }

    /// The superclass's descriptor; nil for a name that only the runtime can resolve, such as an
    /// instance of a generic class.
    private var superclass: UnsafeRawPointer? {
        let field = address + ClassDescriptor.superclassOffset
        return ClassDescriptor.symbolicReference(at: field + Int(field.load(as: Int32.self)))
    }

    /// The descriptor of a mangled name that consists only of a reference to it; nil for other
    /// names.
    static func symbolicReference(at name: UnsafeRawPointer) -> UnsafeRawPointer? {
        // The kind (1 direct, 2 through a pointer), a relative address, and the end of the name.
        // A name may be shorter.
        let kind = name.load(as: UInt8.self)
        guard kind == 1 || kind == 2, name.load(fromByteOffset: 5, as: UInt8.self) == 0 else {
            return nil
        }
        let target = name + 1 + Int((name + 1).loadUnaligned(as: Int32.self))
        return kind == 1 ? target : target.load(as: UnsafeRawPointer.self)
    }

    /// False if the chain of superclasses ends without ``ObjectBase``.
    var mayBeModelClass: Bool {
        var current = self
        while true {
            guard let next = current.superclass else { return true }
            if next == ClassDescriptor.objectBase { return true }
            guard let descriptor = ClassDescriptor(unsafeAddress: next) else {
                // A root class, or a generic class, whose own superclass may be any class.
                return next.load(as: UInt32.self) & ClassDescriptor.genericFlag != 0
            }
            current = descriptor
        }
    }

    /// The descriptor of ``ObjectBase``.
    ///
    /// `nonisolated(unsafe)`: an address in the image, never written through.
    private nonisolated(unsafe) static let objectBase: UnsafeRawPointer = of(ObjectBase.self)

    /// The address of a class's descriptor.
    static func of(_ type: AnyClass) -> UnsafeRawPointer {
        unsafeBitCast(type, to: UnsafeRawPointer.self).load(
            fromByteOffset: ClassMetadataLayout.descriptor, as: UnsafeRawPointer.self)
    }

    /// Whether it is the descriptor of a class.
    func isDescriptor(of type: AnyClass) -> Bool { address == ClassDescriptor.of(type) }

    /// Resolves the class.
    func resolve() -> Any.Type? { ClassDescriptor.type(describedAt: address) }

    /// The type with a descriptor at an address. Asks the runtime for the type whose mangled
    /// name is a reference to this descriptor. The reference goes through a pointer next to the
    /// name, so that the distance between name and image does not matter.
    static func type(describedAt address: UnsafeRawPointer) -> Any.Type? {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { buffer in
            guard let name = buffer.baseAddress else { return nil }
            name.initializeMemory(as: UInt8.self, repeating: 0, count: 16)
            name.storeBytes(of: 2, as: UInt8.self)
            (name + 1).storeBytes(of: 7, as: Int32.self)
            (name + 8).storeBytes(of: address, as: UnsafeRawPointer.self)
            return _getTypeByMangledNameInContext(
                name.assumingMemoryBound(to: UInt8.self), 5, genericContext: nil,
                genericArguments: nil)
        }
    }
}
