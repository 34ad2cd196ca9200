import FreeholdStorage

/// The names of the properties along a key path: `\Person.dog?.name` is ["dog", "name"].
///
/// A key path does not tell what it goes through. It is found out by applying it to a recorder,
/// an instance of the root class whose properties note that they were read
/// (``KeyPathRecording``).
///
/// Thread rule: callable from anywhere.
enum KeyPathNames {
    /// The names; empty if the key path goes through anything but persisted properties and links.
    ///
    /// O(1) for a key path literal after its first time. The root class must have a valid
    /// declaration.
    static func names(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> [String] {
        cache.names(of: keyPath) { KeyPathRecording.names(of: keyPath, from: root) }
    }

    private static let cache = KeyPathNameCache()
}

/// What was found for key paths.
final class KeyPathNameCache: Sendable {
    private struct Known: @unchecked Sendable {
        // Sendable: the key paths are only kept alive, so that nothing else gets their
        // addresses; they are never applied.
        var names: [ObjectIdentifier: [String]] = [:]
        var keyPaths: [AnyKeyPath] = []
    }

    /// Literals are one instance per place in the source. Key paths composed at run time are
    /// new instances each time; the bound is for them.
    private static let capacity = 4096

    private let known = Locked(processWide: Known())

    /// O(1) after a key path's first time.
    func names(of keyPath: AnyKeyPath, _ find: () -> [String]) -> [String] {
        let identity = ObjectIdentifier(keyPath)
        if let names = known.withLock({ $0.names[identity] }) { return names }
        let names = find()
        // What is forgotten leaves the lock before it is released: key paths hold the program's
        // values.
        _ = known.withLock { known -> Known? in
            var forgotten: Known?
            if known.names.count >= Self.capacity {
                forgotten = known
                known = Known()
            }
            known.names[identity] = names
            known.keyPaths.append(keyPath)
            return forgotten
        }
        return names
    }
}
