public import Foundation

/// A failure to import an export.
///
/// The realm is what it was before: an import is one write transaction, which an error cancels.
/// Failures of the realm itself, as of a full disk, are thrown as `Realm.Error`.
///
/// ```swift
/// do {
///     try RealmStudioImport(json: url).importAll(into: realm)
/// } catch let error as ImportError where error.code == .unknownProperty {
///     print(error.className ?? "", error.property ?? "", error.line ?? 0)
/// }
/// ```
///
/// Thread rule: a plain value; use it anywhere.
public struct ImportError: Error, Sendable {
    /// The class of failure.
    public let code: Code
    /// The path of the file; nil for an export that was given as `Data`.
    public let file: String?
    /// The class of the object.
    public let className: String?
    /// The object's place among those of its class in the file, from 1; in CSV the record's
    /// place after the header.
    public let row: Int?
    /// The line of the file, from 1.
    public let line: Int?
    /// The property; a path if it is one of an embedded object.
    public let property: String?
    /// What would have been accepted.
    public let expected: String
    /// What is there instead, cut to 40 characters; nil if that says nothing.
    public let found: String?
    /// What to do about it; nil if the rest says it.
    public let remedy: String?
    /// The failure that caused this one.
    public let underlying: (any Error)?

    /// The class of a failure. Further ones may be added, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, which never changes its meaning.
        public let rawValue: String

        /// The code with a name; unknown names are kept as they are.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file or folder cannot be read.
        public static let fileAccess = Code(rawValue: "fileAccess")
        /// The file is no JSON.
        public static let malformedJSON = Code(rawValue: "malformedJSON")
        /// The file is no CSV.
        public static let malformedCSV = Code(rawValue: "malformedCSV")
        /// The file is JSON of another kind.
        public static let notAnExport = Code(rawValue: "notAnExport")
        /// The realm has no such class.
        public static let unknownClass = Code(rawValue: "unknownClass")
        /// The class has no such property.
        public static let unknownProperty = Code(rawValue: "unknownProperty")
        /// A value that the property cannot have.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// A link to an object that is neither in the file nor in the realm.
        public static let unknownObject = Code(rawValue: "unknownObject")
        /// Two objects of the export have the same primary key.
        public static let duplicatePrimaryKey = Code(rawValue: "duplicatePrimaryKey")
        /// The realm already has an object with this primary key.
        public static let existingPrimaryKey = Code(rawValue: "existingPrimaryKey")
    }

    init(
        _ code: Code, _ place: ImportPlace = ImportPlace(), expected: String, found: String? = nil,
        remedy: String? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        file = place.file
        className = place.className
        row = place.row
        line = place.line
        property = place.property
        self.expected = expected
        self.found = found.map(shortened)
        self.remedy = remedy
        self.underlying = underlying
    }
}

/// Where in an export something is.
struct ImportPlace {
    var file: String?
    var className: String?
    var row: Int?
    var line: Int?
    var property: String?
}

extension ImportError: CustomStringConvertible, LocalizedError {
    /// Where it is, what was expected, what was found, and what to do.
    public var message: String {
        var place =
            file.map { [$0 + (line.map { ":\($0)" } ?? "")] } ?? line.map { ["line \($0)"] } ?? []
        if let className {
            place.append(
                className + (property.map { ".\($0)" } ?? "") + (row.map { ", object \($0)" } ?? "")
            )
        }
        let text =
            "expected \(expected)" + (found.map { ", found \($0)" } ?? "") + "."
            + (remedy.map { " \($0)" } ?? "")
        return (place + [text]).joined(separator: ": ")
    }

    /// The code's name and the message.
    public var description: String { "\(code.rawValue): \(message)" }
    /// The message.
    public var errorDescription: String? { message }
}
