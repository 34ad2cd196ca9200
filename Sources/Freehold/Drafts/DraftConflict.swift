/// The reasons why a draft cannot be saved or rebased: what it and others changed both since the
/// version that it is based on.
///
/// ```swift
/// do {
///     try draft.save()
/// } catch let conflict as DraftConflict {
///     print(conflict)                          // a table
///     try draft.save { conflict in
///         conflict.property == "name" ? .mine : .theirs
///     }
/// }
/// ```
///
/// The draft and the file are as before. Thread rule: any thread.
public struct DraftConflict: Error, Sendable, Hashable, Codable {
    /// The path of the file.
    public let path: String
    /// All conflicts, in the order of the classes' names, then of objects, then of properties as
    /// they are declared.
    public let conflicts: [Conflict]
    /// Whether ``description`` leaves out the values, because the file is encrypted.
    let hidesValues: Bool

    /// What both sides did to one object.
    public struct Conflict: Sendable, Hashable, Codable {
        /// What happened.
        public let kind: Kind
        /// The object as the draft's base has it; for one that both sides created, as the others
        /// did. Nil if the class is gone.
        public let object: DraftObject?
        /// The property, with a path into its value where only a part of it is in conflict:
        /// `name`, `settings["color"]`. Nil if the conflict is about the whole object.
        public let property: String?
        /// The value before both changes; nil where there was none.
        public let base: DraftValue?
        /// The draft's value; nil where it has none, as of a deleted object.
        public let mine: DraftValue?
        /// The value that others saved; nil where there is none.
        public let theirs: DraftValue?
        /// Where one side deleted the object: what the other side changed, as
        /// `Person 7.name`.
        public let changed: [String]
    }

    /// The kinds of conflicts.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Both sides set one property, or one key of a map, to different values.
        case value
        /// The edits of both sides to one list overlap.
        case list
        /// The draft deleted an object that others changed.
        case deletedByMe
        /// Others deleted an object that the draft changed.
        case deletedByThem
        /// The draft deleted an object that others linked to.
        case linkedByThem
        /// Others deleted an object that the draft linked to.
        case linkedByMe
        /// Both sides created an object with the same primary key.
        case createdTwice
        /// The merged version would have two objects with one primary key.
        case notUnique
        /// Both sides gave an embedded object to another owner.
        case movedTwice
        /// Others removed the class or the property from the file.
        case missing
    }

    /// How a conflict is settled. Beside each: Core Data's merge policy that does the same to
    /// all conflicts.
    public enum Resolution: Sendable, Hashable {
        /// What the draft did stands: `NSMergeByPropertyObjectTrumpMergePolicy`.
        case mine
        /// What the others did stands: `NSMergeByPropertyStoreTrumpMergePolicy`.
        case theirs
        /// Another value, for conflicts of the kinds `value` and `list`: one of the property's
        /// type, for a list the whole list, and for a key of a map the key's value. Objects are
        /// named by their primary keys, and embedded ones are those of one side. With a value
        /// that does not fit, saving throws a ``Realm/Error`` with the code `invalidInput`.
        case value(DraftValue)
    }
}
