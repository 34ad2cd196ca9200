import Foundation

// The canonical string of a condition, which parses to the same tree.

extension PredicateNode {
    var format: String {
        switch self {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): comparison.format
        case .and(let operands):
            operands.isEmpty
                ? "TRUEPREDICATE" : operands.map(\.formatInside).joined(separator: " AND ")
        case .or(let operands):
            operands.isEmpty
                ? "FALSEPREDICATE" : operands.map(\.formatInside).joined(separator: " OR ")
        case .not(let operand): "NOT " + operand.formatInside
        case .member, .agreement: expanded.format
        }
    }

    /// The format as an operand.
    private var formatInside: String {
        switch self {
        case .and(let operands) where !operands.isEmpty, .or(let operands) where !operands.isEmpty:
            "(\(format))"
        default: format
        }
    }
}

extension PredicateComparison {
    var format: String {
        let prefix =
            switch quantifier {
            case .direct: ""
            case .any: "ANY "
            case .all: "ALL "
            case .none: "NONE "
            }
        return "\(prefix)\(left.format) \(operation.text)\(options.text) \(right.format)"
    }
}

extension PredicateExpression {
    var format: String {
        switch self {
        case .constant(let constant): constant.format
        case .list(let constants): PredicateConstant.format(of: constants)
        case .keyPath(let steps): PredicateStep.format(of: steps)
        case .subqueryCount(let collection, let variable, let condition):
            """
            SUBQUERY(\(PredicateStep.format(of: collection)), $\(variable), \
            \(condition.format)).@count
            """
        }
    }
}

extension PredicateStep {
    static func format(of steps: [PredicateStep]) -> String {
        var text = ""
        for step in steps.map(\.plain) {
            switch step {
            case .key, .index, .anyElement: text += (text.isEmpty ? "SELF" : "") + step.format
            case .property(let name):
                text += text.isEmpty ? PredicateStep.first(name) : "." + PredicateStep.quoted(name)
            case .typed, .variable, .backlinks, .operation:
                text += (text.isEmpty ? "" : ".") + step.format
            }
        }
        return text.isEmpty ? "SELF" : text
    }

    private var format: String {
        switch self {
        case .property(let name): PredicateStep.quoted(name)
        case .typed(let property): PredicateStep.quoted(property.name)
        case .variable(let name): "$\(name)"
        case .key(let key): "[\(PredicateConstant.string(key).format)]"
        case .index(let index): "[\(index)]"
        case .anyElement: "[#any]"
        case .backlinks(let className, let property):
            "@links.\(PredicateStep.quoted(className)).\(PredicateStep.quoted(property))"
        case .operation(let operation): "@\(operation.rawValue)"
        }
    }

    /// Returns a name at a place where a keyword could be.
    private static func first(_ name: String) -> String {
        PredicateKeyword(word: name) == nil ? quoted(name) : "#\(name)"
    }

    /// Returns a name, in quotation marks if the language would not parse it as one.
    private static func quoted(_ name: String) -> String {
        var lexer = PredicateLexer(name)
        return lexer.scanWord() == name ? name : "#\(PredicateConstant.string(name).format)"
    }
}

extension PredicateConstant {
    var format: String {
        switch self {
        case .null: "nil"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): "\(value)"
        // The payload of a NaN is printed in a form that cannot be parsed.
        case .float(let value): value.isNaN ? "float(nan)" : "float(\(value))"
        case .double(let value):
            value.isNaN ? "double(nan)" : value.isFinite ? "\(value)" : "double(\(value))"
        case .string(let value): PredicateConstant.quoted(value)
        case .data(let value): "B64\"\(value.base64EncodedString())\""
        case .date(let value): CivilDate.literal(value)
        case .fixed(let value): value.literal
        case .decimal(let value): "decimal(\(value.stringValue))"
        case .object(let object): "<\(object.className) \(object.key)>"
        case .members(let members): "<\(members.className)>"
        case .list(let elements): PredicateConstant.format(of: elements)
        case .dictionary(let entries):
            entries.isEmpty
                ? "{:}"
                : "{"
                    + entries.sorted { $0.key < $1.key }.map {
                        "\(PredicateConstant.quoted($0.key)): \($0.value.format)"
                    }.joined(separator: ", ") + "}"
        case .geo(let shape): "<\(shape)>"
        case .unsupported(let description): "<\(description)>"
        }
    }

    fileprivate static func format(of elements: [PredicateConstant]) -> String {
        "{" + elements.map(\.format).joined(separator: ", ") + "}"
    }

    private static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\" + String(scalar)
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.properties.generalCategory == .control:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
