import FreeholdStorage

/// What the type of a stored property says of it. It is found by casts, which cost more than
/// all else of a reflection does; so once for each type in the process.
struct PersistedType: Sendable {
    let wrapper: any PersistedStorage.Type
    /// Nil if properties of the type cannot be stored.
    let codec: (any PropertyCodec)?
    /// The class whose values are part of each value of the property: stored as embedded
    /// objects, and never nil. Else nil.
    let endlessTarget: ObjectBase.Type?

    private static let known = Locked<[ObjectIdentifier: PersistedType?]>(processWide: [:])

    /// Nil for what is no `@Persisted` property. Any thread.
    static func of(_ type: Any.Type) -> PersistedType? {
        if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
        // Not under the lock: a codec asks types of the program's.
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
