/// The report of an access to a realm from a wrong place, or of an opening that will lead to one.
///
/// Functions that can throw throw it. All others pass it to ``Realm/confinementHandler``, print
/// its ``description`` and end the process. The report holds only texts and numbers, so it can be
/// logged or sent elsewhere.
public struct ConfinementViolation: Error, Hashable, Codable, Sendable {
    /// Whether the access was refused, or is allowed and will go wrong later.
    public enum Severity: String, Codable, Sendable {
        /// The access was refused: an error was thrown, or the process ends.
        case violation
        /// The realm was opened in a place where it cannot be used for long. Only passed to
        /// ``Realm/confinementHandler``.
        case warning
    }

    /// Whether the access was refused, or a realm was opened in a doubtful place.
    public let severity: Severity
    /// What happened, in one fixed sentence that programs may rely on: "Realm accessed from
    /// incorrect thread."
    public let message: String
    /// The operation that was tried: "Reading", "Writing", "Realm.write", "count of
    /// Results<Person>".
    public let operation: String
    /// The class of the objects, if the operation was on objects of one class.
    public let className: String?
    /// The property that was read or written.
    public let propertyName: String?
    /// The row key of the object, if the access was to one, as in `Realm.check()` and other
    /// reports.
    public let rowKey: Int64?
    /// The realm's file; empty if it was not opened.
    public let path: String
    /// Where the realm was opened.
    public let opened: Place
    /// What the realm is confined to, in words that follow "for": "the actor 'Library'". Empty if
    /// the realm was not opened.
    public let confinedTo: String
    /// Where it was accessed from. File and line are known only for functions that take them.
    public let accessed: Place
    /// What to do instead, for exactly these two places.
    public let remedy: String

    init(
        severity: Severity = .violation, message: String, access: ConfinedAccess, path: String = "",
        opened: Place, confinedTo: String = "", accessed: Place, remedy: String
    ) {
        self.severity = severity
        self.message = message
        operation = access.operation
        className = access.className
        propertyName = access.propertyName
        rowKey = access.rowKey
        self.path = path
        self.opened = opened
        self.confinedTo = confinedTo
        self.accessed = accessed
        self.remedy = remedy
    }
}

extension ConfinementViolation: CustomStringConvertible {
    /// The operation and its subject: "Reading 'Person.name'".
    public var access: String {
        guard let className else { return operation }
        if let propertyName { return "\(operation) '\(className).\(propertyName)'" }
        return rowKey == nil ? operation : "\(operation) of '\(className)'"
    }

    /// The message on a line of its own, then the diagnosis.
    public var description: String {
        var what = "  What: \(access)"
        if !path.isEmpty {
            what += severity == .warning ? ", at '\(path)'" : " of the realm at '\(path)'"
        }
        if let rowKey { what += " (row key \(rowKey))" }
        var lines = [message, what]
        let showsInstance = opened.isOtherInstance(of: accessed)
        if opened != accessed || severity == .warning {
            lines.append(
                "  Opened: \(opened.text(showsInstance: showsInstance))"
                    + (opened.describes(confinedTo) ? "" : ", for \(confinedTo)"))
        }
        // A warning concerns the opening of the realm: the place that noticed it does not matter.
        if severity == .violation {
            lines.append("  Accessed: \(accessed.text(showsInstance: showsInstance))")
        }
        lines.append("  Remedy: \(remedy)")
        return lines.joined(separator: "\n")
    }
}
