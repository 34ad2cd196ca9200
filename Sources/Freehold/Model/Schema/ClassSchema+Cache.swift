import FreeholdStorage

extension ClassSchema {
    /// The class as declared. Reflection happens once per class; later calls are O(1).
    ///
    /// Thread rule: callable from anywhere. Throws if the declaration is wrong, each time with
    /// the same messages. Traps if the class's initialiser requests the class's own schema,
    /// because that would never end.
    static func shared(for type: ObjectBase.Type) throws(SchemaValidationError) -> ClassSchema {
        let identity = ObjectIdentifier(type)
        let thread = currentThreadToken()
        let known = cache.withLock { cache -> Result<ClassSchema, SchemaValidationError>? in
            if let found = cache.schemas[identity] { return found }
            if !cache.underway.insert(Underway(type: identity, thread: thread)).inserted {
                misuse(
                    """
                    Illegal recursive call of +[\(type) sharedSchema]. Note: \
                    Properties of Swift `Object` classes must not be prepopulated with \
                    queried results from a Realm.
                    """,
                    remedy: """
                        Let the initial values of '\(type)' and its initialiser not \
                        use a realm that contains the class.
                        """)
            }
            return nil
        }
        if let known { return try known.get() }
        // Outside the lock, because this runs the class's initialiser. Two threads may do the
        // same work; the first result stays.
        let result: Result<ClassSchema, SchemaValidationError>
        do throws(SchemaValidationError) {
            result = .success(try reflect(type))
        } catch {
            result = .failure(error)
        }
        let settled = cache.withLock { cache in
            cache.underway.remove(Underway(type: identity, thread: thread))
            if let first = cache.schemas[identity] { return first }
            cache.schemas[identity] = result
            return result
        }
        return try settled.get()
    }

    private struct Cache {
        var schemas: [ObjectIdentifier: Result<ClassSchema, SchemaValidationError>] = [:]
        var underway: Set<Underway> = []
    }

    /// A class that a thread is reflecting.
    private struct Underway: Hashable {
        let type: ObjectIdentifier
        let thread: UInt
    }

    private static let cache = Locked(processWide: Cache())
}
