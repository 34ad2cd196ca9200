import FreeholdStorage

/// Information about the type of a stored property. It is found by casts, which cost more than
/// all other parts of reflection, so it is cached once per type in the process.
struct PersistedType: Sendable {
    let wrapper: any PersistedStorage.Type
    /// Nil if properties of the type cannot be stored.
    let codec: (any PropertyCodec)?
    /// The class of embedded objects if each value of the property contains one that is never
    /// nil; otherwise nil.
    let endlessTarget: ObjectBase.Type?

    private static let known = Locked<[ObjectIdentifier: PersistedType?]>(processWide: [:])

    /// Nil if the type is not a `@Persisted` wrapper. Any thread.
    static func of(_ type: Any.Type) -> PersistedType? {
        if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
        // Outside the lock, because a codec calls types of the program.
        let found = (type as? any PersistedStorage.Type).map { PersistedType($0) }
        known.withLock { $0[ObjectIdentifier(type)] = .some(found) }
        return found
    }

    private init(_ wrapper: any PersistedStorage.Type) {
        self.wrapper = wrapper
        codec = wrapper.codec
        let link = codec as? any LinkPropertyCodec
        endlessTarget = link.flatMap { $0.convertsObjects && !$0.isOptional ? $0.target : nil }
    }
}
