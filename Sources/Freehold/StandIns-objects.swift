import FreeholdStorage

// Signatures that the branch realm replaces.

extension Violation {
    static func misuse(text: String, remedy: String) -> Violation { fatalError(text + "\n" + remedy) }
}

extension RealmCore {
    func binding(for type: ObjectBase.Type) -> ClassBinding { fatalError() }
    func linkTargetKey(for object: ObjectBase) -> Int64 { fatalError() }
}
