/// A key type of a ``Map``: `String`. Do not conform your own types.
public protocol _MapKey: Hashable, SendableMetatype {
    /// The key in its stored form.
    var _rlmMapKey: String { get }
    /// Makes the key from its stored form.
    init(_rlmMapKey: String)
}

extension String: _MapKey {
    /// The text itself.
    public var _rlmMapKey: String { self }
    /// The text itself.
    public init(_rlmMapKey: String) { self = _rlmMapKey }
}

/// Checks the keys that a map refuses.
enum MapKeys {
    /// Returns what is wrong with a key; nil if the key is valid.
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
        misuse(
            objection,
            remedy: "The key is '\(key)'. Replace the character, as by percent-encoding.")
    }
}
