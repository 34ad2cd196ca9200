extension JSONDocument {
    /// Returns a value as JSON for errors, cut to 40 characters.
    package func shown(_ id: ID) -> String {
        switch values[id] {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): shortened("\"\(value)\"")
        case .array(let range): range.isEmpty ? "[]" : "an array of \(range.count)"
        case .object(let range):
            shortened(
                "{"
                    + range.prefix(8).map { "\"\(name(of: members[$0]))\": …" }.joined(
                        separator: ", ") + "}")
        }
    }
}

/// Returns the first 40 characters of a text.
func shortened(_ text: String) -> String { text.count > 40 ? text.prefix(40) + "…" : text }
