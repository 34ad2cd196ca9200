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
    /// All conflicts.
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
        /// Another value, for conflicts of the kinds `value` and `list`.
        case value(DraftValue)
    }
}

extension DraftConflict: CustomStringConvertible {
    /// A table with a line for each conflict. Without values if the file is encrypted.
    public var description: String {
        let count = conflicts.count == 1 ? "1 conflict" : "\(conflicts.count) conflicts"
        var lines = [["object", "property", "base", "mine", "theirs", "conflict"]]
        for conflict in conflicts {
            func text(_ value: DraftValue?) -> String {
                guard let value else { return "-" }
                return hidesValues ? "…" : Self.short(value.description)
            }
            lines.append([
                conflict.object.map {
                    hidesValues ? "\($0.className) #\($0.row)" : "\($0)"
                } ?? "-", conflict.property ?? "-", text(conflict.base), text(conflict.mine),
                text(conflict.theirs), conflict.kind.rawValue,
            ])
        }
        let widths = (0..<6).map { column in lines.map { $0[column].count }.max() ?? 0 }
        let table = lines.map { line in
            zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
                .joined(separator: "  ").trimmingSpaces()
        }
        return (["\(count) in \"\(path)\""] + table).joined(separator: "\n")
    }

    private static func short(_ text: String) -> String {
        text.count > 40 ? text.prefix(39) + "…" : text
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
