public import Foundation

/// A failure to import an export.
///
/// The realm is unchanged: an import is one write transaction, which an error cancels. Failures
/// of the realm itself, such as a full disk, are thrown as `Realm.Error`.
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
    /// The kind of the failure.
    public let code: Code
    /// The path of the file; nil for an export that was given as `Data`.
    public let file: String?
    /// The class of the object.
    public let className: String?
    /// The object's position among those of its class in the file, from 1; in CSV, the record's
    /// position after the header.
    public let row: Int?
    /// The line of the file, from 1.
    public let line: Int?
    /// The property; for one of an embedded object, a path.
    public let property: String?
    /// What the import would have accepted.
    public let expected: String
    /// What was there instead, cut to 40 characters; nil if that says nothing.
    public let found: String?
    /// What to do about it; nil if the other parts say it.
    public let remedy: String?
    /// The failure that caused this one.
    public let underlying: (any Error)?

    /// The kind of a failure. Later releases may add codes, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code. Its meaning never changes.
        public let rawValue: String

        /// Makes the code with a name; unknown names are kept as they are.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file or folder cannot be read.
        public static let fileAccess = Code(rawValue: "fileAccess")
        /// The file is not JSON.
        public static let malformedJSON = Code(rawValue: "malformedJSON")
        /// The file is not CSV.
        public static let malformedCSV = Code(rawValue: "malformedCSV")
        /// The file is JSON, but not an export.
        public static let notAnExport = Code(rawValue: "notAnExport")
        /// The realm has no such class.
        public static let unknownClass = Code(rawValue: "unknownClass")
        /// The class has no such property.
        public static let unknownProperty = Code(rawValue: "unknownProperty")
        /// The property cannot have the value.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// A link leads to an object that is neither in the file nor in the realm.
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

/// A place in an export.
struct ImportPlace {
    var file: String?
    var className: String?
    var row: Int?
    var line: Int?
    var property: String?
}

extension ImportError: CustomStringConvertible, LocalizedError {
    /// The place, what was expected, what was found, and what to do.
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
    /// ``message``, for `LocalizedError`.
    public var errorDescription: String? { message }
}
