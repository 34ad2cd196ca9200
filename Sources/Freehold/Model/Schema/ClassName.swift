/// Names of model classes.
enum ClassName {
    /// The class's name without its module and without the parts that only distinguish private
    /// and local types. Nested names are joined with "_": "Module.Outer.Inner" is "Outer_Inner".
    static func name(of type: ObjectBase.Type) -> String {
        var parts = components(of: _typeName(type, qualified: true))
        if parts.count > 1 { parts.removeFirst() }
        parts.removeAll { $0.hasPrefix("(") }
        return parts.joined(separator: "_")
    }

    /// The parts between dots outside parentheses and angle brackets.
    private static func components(of name: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in name {
            switch character {
            case "(", "<": depth += 1
            case ")", ">": depth -= 1
            default: break
            }
            if character == ".", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}
