import FreeholdStorage

/// Classes that programs declare differently.
extension SharingError {
    init(_ conflict: SharedSchemaConflict, in name: String) {
        let remedy = """
            If a program declares it so, files differ in this until all declare the same: give \
            the classes one form, or the properties two names, with a higher schema version and \
            a migration. A program that wrote before it knew of a migration is told by a rejection.
            """
        guard let property = conflict.property else {
            self.init(
                .unfitClass,
                """
                A commit of '\(name)' has a class '\(conflict.className)' with another primary \
                key, or one is embedded and the other is not: its objects are left out here.
                """, remedy: remedy)
            return
        }
        self.init(
            .unfitClass,
            """
            A commit of '\(name)' has a property '\(conflict.className).\(property.name)' of the \
            type \(property.theirs.swiftType), which is \(property.own.swiftType) here: values \
            that do not fit are left out here.
            """, remedy: remedy)
    }
}

extension SharingError {
    /// A commit of the log whose bytes are none.
    ///
    /// - Parameter isSharedWrite: Whether it is that of a `writeShared` of this file.
    init(damaged entry: LoggedCommit, in name: String, isSharedWrite: Bool) {
        let remedy =
            isSharedWrite
            ? "Run the shared write again."
            : "The client that wrote it is told by a rejection: write the changes again there."
        self.init(
            .damagedPayload,
            """
            The commit \(entry.sequence) of '\(name)' cannot be decoded: every file leaves it out.
            """, remedy: remedy + " Look for what damages data on the server.",
            cause: "client \(entry.client), \(entry.payload.count) bytes")
    }
}

extension SharedCommit.Property {
    /// As a program declares it.
    fileprivate var swiftType: String {
        guard let collection else { return name(of: type, isNullable: isNullable) }
        let element = name(of: collection.type, isNullable: collection.isNullable)
        return switch collection.shape {
        case .list: "List<\(element)>"
        case .set: "MutableSet<\(element)>"
        case .map: "Map<String, \(element)>"
        }
    }

    private func name(of type: ColumnType, isNullable: Bool) -> String {
        let name =
            switch type {
            case .integer: "Int"
            case .boolean: "Bool"
            case .float: "Float"
            case .double: "Double"
            case .timestamp: "Date"
            case .text: "String"
            case .bytes: "Data"
            case .fixed12: "ObjectId"
            case .fixed16: "UUID"
            case .decimal: "Decimal128"
            case .link: target ?? "Object"
            case .mixed: "AnyRealmValue"
            }
        return isNullable && type != .mixed ? name + "?" : name
    }
}
