public import Foundation

extension DraftConflict: CustomStringConvertible {
    /// A table with a line for each conflict. Long values are shortened. Without values if the
    /// file is encrypted.
    public var description: String {
        let count = conflicts.count == 1 ? "1 conflict" : "\(conflicts.count) conflicts"
        var lines = [["object", "property", "base", "mine", "theirs", "conflict"]]
        for conflict in conflicts {
            func text(_ value: DraftValue?) -> String {
                guard let value else { return "-" }
                return hidesValues ? "…" : value.shortDescription
            }
            lines.append([
                name(of: conflict) ?? "-", property(of: conflict) ?? "-", text(conflict.base),
                text(conflict.mine), text(conflict.theirs), conflict.kind.rawValue,
            ])
        }
        let widths = (0..<6).map { column in lines.map { $0[column].columnCount }.max() ?? 0 }
        let table = lines.map { line in
            let cells = zip(line, widths).map { text, width in
                text + String(repeating: " ", count: width - text.columnCount)
            }
            return cells.joined(separator: "  ").trimmingSpaces()
        }
        return (["\(count) in \"\(path)\""] + table).joined(separator: "\n")
    }

    private func name(of conflict: Conflict) -> String? {
        conflict.object.map { hidesValues ? "\($0.className) #\($0.row)" : $0.shortDescription }
    }

    /// Without the path into the value, which has keys of maps, if values are hidden.
    private func property(of conflict: Conflict) -> String? {
        guard let property = conflict.property else { return nil }
        return (hidesValues ? String(property.prefix { $0 != "[" }) : property).shortened()
    }
}

extension DraftConflict: LocalizedError, CustomNSError {
    /// What is in conflict: the first three objects and properties.
    public var errorDescription: String? {
        let names = conflicts.prefix(3).map { conflict in
            [name(of: conflict), property(of: conflict)].compactMap { $0 }.joined(separator: ".")
        }
        let rest = conflicts.count > 3 ? " and \(conflicts.count - 3) more" : ""
        return "Others have changed what the draft has changed, too: "
            + names.joined(separator: ", ") + rest + "."
    }

    /// How to settle the conflicts.
    public var recoverySuggestion: String? {
        "Nothing was saved, and the draft is as before. Settle the conflicts with "
            + "save(resolving:), or drop the edits with discard()."
    }

    /// "io.realm.draft-conflict".
    public static var errorDomain: String { "io.realm.draft-conflict" }
    /// The number of conflicts.
    public var errorCode: Int { conflicts.count }
    /// The description, the suggestion and the file's path, under Foundation's keys.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSFilePathErrorKey: path]
        info[NSLocalizedDescriptionKey] = errorDescription
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        return info
    }
}

extension DraftValue {
    /// The value for one cell of a table.
    var shortDescription: String {
        switch self {
        // Values of any length, of which only the beginning is made a text.
        case .string(let value) where value.utf8.count > 200:
            "\"\(value.prefix(50))".replacing("\n", with: "\\n").shortened()
        case .list(let values) where values.count > 20:
            "\(DraftValue.list(Array(values.prefix(20))))".dropLast() + ", …"
        case .set(let values) where values.count > 20:
            "\(DraftValue.set(Array(values.prefix(20))))".dropLast() + ", …"
        default: description.shortened()
        }
    }
}

extension DraftObject {
    var shortDescription: String { description.shortened() }
}

extension String {
    /// The beginning, of up to 40 columns, in one line without control characters.
    fileprivate func shortened() -> String {
        var (text, count) = ("", 0)
        for character in self {
            let isControl = character.unicodeScalars.contains {
                $0.properties.generalCategory == .control
            }
            let shown = isControl ? " " : character
            count += shown.columnCount
            if count > 40 { break }
            text.append(shown)
        }
        if count <= 40 { return text }
        while text.columnCount > 39 { text.removeLast() }
        return text + "…"
    }

    /// The columns that a terminal takes for the text.
    fileprivate var columnCount: Int { reduce(0) { $0 + $1.columnCount } }

    fileprivate func trimmingSpaces() -> String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension Character {
    /// Two for characters of East Asia and emoji, else one.
    fileprivate var columnCount: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
