/// Model classes in Swift that open a file of a schema.
package enum SwiftModels {
    /// - Parameter file: The file, for the schema version's comment.
    package static func text(_ schema: SchemaDescription, file: String) -> String {
        var text = "import Freehold\n"
        if let version = schema.schemaVersion, version > 0 {
            text += "\n// Realm.Configuration(schemaVersion: \(version)) opens the file.\n"
        }
        let classNames = Dictionary(
            schema.classes.map { ($0.name, className($0.name)) }, uniquingKeysWith: { a, _ in a })
        for found in schema.classes { text += "\n" + model(found, classNames) }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private static func model(
        _ found: SchemaDescription.Class, _ classNames: [String: String]
    ) -> String {
        let name = classNames[found.name] ?? className(found.name)
        let base = found.isEmbedded ? "EmbeddedObject" : "Object"
        var text = "final class \(name): Freehold.\(base) {\n"
        var used: Set<String> = []
        var mapping: [(property: String, column: String)] = []
        for property in found.properties {
            var own = identifier(property.name)
            while reserved.contains(own) || !used.insert(own).inserted { own += "_" }
            if own != property.name { mapping.append((own, property.name)) }
            let attribute =
                property.name == found.primaryKey
                ? "(primaryKey: true)"
                : property.index == .ordered
                    ? "(indexed: true)" : property.index == .fullText ? "(indexed: .fullText)" : ""
            let type = self.type(of: property, classNames)
            text += "    @Persisted\(attribute) var \(quoted(own)): \(type)\n"
        }
        if name != found.name {
            text += "\n    override class func _realmObjectName() -> String? {"
            text += " \(literal(found.name)) }\n"
        }
        if !mapping.isEmpty {
            text += "\n    override class func propertiesMapping() -> [String: String] {\n        ["
            text += mapping.map { "\(literal($0.property)): \(literal($0.column))" }
                .joined(separator: ", ")
            text += "]\n    }\n"
        }
        return text + "}\n"
    }

    private static func type(
        of property: SchemaDescription.Property, _ classNames: [String: String]
    ) -> String {
        let value: String
        switch property.kind {
        case .int: value = "Int"
        case .bool: value = "Bool"
        case .float: value = "Float"
        case .double: value = "Double"
        case .date: value = "Date"
        case .string: value = "String"
        case .data: value = "Data"
        case .objectId: value = "ObjectId"
        case .uuid: value = "UUID"
        case .decimal128: value = "Decimal128"
        case .mixed: value = "AnyRealmValue"
        case .object:
            let target = property.target ?? "Object"
            value = classNames[target] ?? className(target)
        }
        let isObject = property.kind == .object
        let isOptional = property.kind != .mixed && property.isOptional
        switch property.collection {
        case nil: return value + (isObject || isOptional ? "?" : "")
        case .list: return "List<\(value)\(!isObject && isOptional ? "?" : "")>"
        case .set: return "MutableSet<\(value)\(!isObject && isOptional ? "?" : "")>"
        case .map: return "Map<String, \(value)\(isObject || isOptional ? "?" : "")>"
        }
    }

    // MARK: Names

    /// A name for a class that hides none of the types that models use.
    private static func className(_ name: String) -> String {
        let own = identifier(name)
        return typeNames.contains(own) || keywords.contains(own) ? own + "Model" : own
    }

    private static func identifier(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            let isAllowed =
                text.isEmpty
                ? scalar.properties.isXIDStart || scalar == "_"
                : scalar.properties.isXIDContinue || scalar == "_"
            if !isAllowed, text.isEmpty, scalar.properties.isXIDContinue { text = "_" }
            text.unicodeScalars.append(
                isAllowed || scalar.properties.isXIDContinue ? scalar : "_")
        }
        return text.isEmpty || text.allSatisfy({ $0 == "_" }) ? text + "_value" : text
    }

    private static func quoted(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case _ where scalar.value < 0x20: literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    private static let typeNames: Set<String> = [
        "Any", "AnyRealmValue", "Bool", "Data", "Date", "Decimal128", "Double", "EmbeddedObject",
        "Float", "Freehold", "Int", "List", "Map", "MutableSet", "Never", "Object", "ObjectId",
        "Optional", "Persisted", "Protocol", "Self", "String", "Type", "UUID",
    ]

    /// Names that objects have already.
    private static let reserved: Set<String> = [
        "description", "hash", "hashValue", "id_", "init", "isFrozen", "isInvalidated",
        "objectSchema", "observe", "realm", "self", "freeze", "thaw", "className",
        "isSameObject", "dynamicList", "lastAccessedNames", "value", "setValue",
    ]

    private static let keywords: Set<String> = [
        "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
        "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "indirect", "infix",
        "init", "inout", "internal", "is", "let", "nil", "open", "operator", "package", "postfix",
        "precedencegroup", "prefix", "private", "protocol", "public", "repeat", "rethrows",
        "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while", "Type", "Self", "Any",
    ]
}

/// A class diagram in Mermaid's language.
package enum MermaidDiagram {
    package static func text(_ schema: SchemaDescription) -> String {
        var lines = ["classDiagram"]
        for found in schema.classes {
            lines.append("    class \(name(found.name)) {")
            if found.isEmbedded { lines.append("        <<embedded>>") }
            for property in found.properties {
                let mark = property.name == found.primaryKey ? "+" : ""
                // Mermaid reads braces, angle brackets and parentheses as its own.
                let type = property.typeText.replacing(" of ", with: "~")
                let text = property.collection == nil ? type : type + "~"
                lines.append("        \(mark)\(text) \(name(property.name))")
            }
            lines.append("    }")
        }
        for found in schema.classes {
            for property in found.properties {
                guard let target = property.target else { continue }
                let isEmbedded = schema[target]?.isEmbedded ?? false
                let arrow = isEmbedded ? "*--" : "-->"
                let many = property.collection == nil ? "" : " \"*\""
                lines.append(
                    "    \(name(found.name)) \(arrow)\(many) \(name(target)) : "
                        + name(property.name))
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func name(_ text: String) -> String {
        String(text.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }
}
