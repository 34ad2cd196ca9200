import FreeholdStorage

/// The names of the properties along a key path: `\Person.dog?.name` is ["dog", "name"].
///
/// A key path does not reveal its parts. They are found by applying it to a recorder: an
/// instance of the root class whose properties record each read (``KeyPathRecording``).
///
/// Thread rule: callable from anywhere.
enum KeyPathNames {
    /// The names; empty if the key path contains anything but persisted properties and links.
    ///
    /// O(1) for a key path literal after the first call. The root class must have a valid
    /// declaration.
    static func names(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> [String] {
        cache.names(of: keyPath) { KeyPathRecording.names(of: keyPath, from: root) }
    }

    private static let cache = KeyPathNameCache()
}

/// What was found for key paths.
final class KeyPathNameCache: Sendable {
    private struct Known: @unchecked Sendable {
        // Sendable: the key paths are only kept alive, so that their addresses are not reused;
        // they are never applied.
        var names: [ObjectIdentifier: [String]] = [:]
        var keyPaths: [AnyKeyPath] = []
    }

    /// A literal is one instance per place in the source. Key paths composed at run time are new
    /// instances each time; the limit is for them.
    private static let capacity = 4096

    private let known = Locked(processWide: Known())

    /// O(1) after a key path's first time.
    func names(of keyPath: AnyKeyPath, _ find: () -> [String]) -> [String] {
        let identity = ObjectIdentifier(keyPath)
        if let names = known.withLock({ $0.names[identity] }) { return names }
        let names = find()
        // Evicted entries leave the lock before they are released, because key paths hold the
        // program's values.
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
