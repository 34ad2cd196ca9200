/// A type of keys of a ``Map``: `String`. Not for conformances of your own.
public protocol _MapKey: Hashable, SendableMetatype {
    /// The key as it is stored.
    var _rlmMapKey: String { get }
    /// The key that is stored as a text.
    init(_rlmMapKey: String)
}

extension String: _MapKey {
    /// The text itself.
    public var _rlmMapKey: String { self }
    /// The text itself.
    public init(_rlmMapKey: String) { self = _rlmMapKey }
}

/// The keys that a map refuses.
enum MapKeys {
    /// What is wrong with a key; nil if it is a good one.
    static func objection(to key: String) -> String? {
        if key.utf8.first == UInt8(ascii: "$") {
            return "Dictionary::insert: key must not start with '$'"
        }
        if key.utf8.contains(UInt8(ascii: ".")) {
            return "Dictionary::insert: key must not contain '.'"
        }
        return nil
    }

    /// Traps if a map cannot have the key.
    static func check(_ key: String) {
        guard let objection = objection(to: key) else { return }
        violation(
            .misuse(
                text: objection,
                remedy: "The key is '\(key)'. Replace the character, as by percent-encoding."))
    }
}
