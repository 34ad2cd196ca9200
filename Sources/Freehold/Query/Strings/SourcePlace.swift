/// A place in a text, in lines and characters.
struct SourcePlace {
    /// The line, from 1.
    let line: Int
    /// The column in the line, from 1, counted in characters.
    let column: Int
    /// The line, with a caret under the place. A long line is cut on both sides.
    let excerpt: String

    /// How much of a line is shown before and after the place, in cells of a terminal.
    private static let reach = (before: 60, after: 40)

    init(utf8Offset: Int, in text: String) {
        let utf8 = text.utf8
        var position = utf8.index(utf8.startIndex, offsetBy: min(max(utf8Offset, 0), utf8.count))
        // An offset in the middle of a character means that character.
        position = position == text.endIndex ? position : text.startOfCharacter(at: position)

        let before = text[..<position]
        line = before.reduce(into: 1) { lines, character in if character.isNewline { lines += 1 } }
        let start = before.lastIndex(where: \.isNewline).map(text.index(after:)) ?? text.startIndex
        let end = text[position...].firstIndex(where: \.isNewline) ?? text.endIndex
        column = text.distance(from: start, to: position) + 1

        let head = SourcePlace.cells(
            text[start..<position].reversed(), atMost: SourcePlace.reach.before)
        let tail = SourcePlace.cells(text[position..<end], atMost: SourcePlace.reach.after)
        let shown = String(head.text.reversed())
        let (prefix, suffix) = (head.isCut ? "…" : "", tail.isCut ? "…" : "")
        let indent = String(repeating: " ", count: head.width + (head.isCut ? 1 : 0))
        excerpt = "  \(prefix)\(shown)\(tail.text)\(suffix)\n  \(indent)^"
    }

    /// Returns the characters as they are shown, up to a width.
    private static func cells(_ characters: some Sequence<Character>, atMost limit: Int) -> (
        text: String, width: Int, isCut: Bool
    ) {
        var (text, width) = ("", 0)
        for character in characters {
            // Characters that move the cursor, or have no width, would misplace the caret.
            let isControl = character.unicodeScalars.contains {
                $0.properties.generalCategory == .control
            }
            let visible: Character = isControl ? " " : character
            let cells = visible.terminalWidth
            if width + cells > limit { return (text, width, true) }
            text.append(visible)
            width += cells
        }
        return (text, width, false)
    }
}

extension String {
    /// Returns the beginning of the character that contains a position.
    fileprivate func startOfCharacter(at position: Index) -> Index {
        var found = position
        while found > startIndex, found.samePosition(in: self) == nil {
            found = utf8.index(before: found)
        }
        return found
    }
}

extension Character {
    /// The number of terminal cells of the character: 2 for East Asian wide characters and emoji,
    /// 0 for marks without a letter.
    package var terminalWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if unicodeScalars.contains(where: {
            $0.properties.isEmojiPresentation || $0.value == 0xFE0F
        }) {
            return 2
        }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
