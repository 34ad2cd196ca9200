public import Foundation
public import Freehold

/// An export of Realm Studio, or of a program that writes the same format, for import into a
/// realm of this library.
///
/// ```swift
/// let configuration = Realm.Configuration(fileURL: file, objectTypes: [Person.self, Dog.self])
/// let realm = try Realm(configuration: configuration)
/// let summary = try RealmStudioImport(json: url).importAll(into: realm)
/// print(summary.created)   // ["Person": 2, "Dog": 1]
/// ```
///
/// ## JSON
/// `init(json:)` reads the files of "Save data > JSON" of any version of Realm Studio. It detects
/// the format:
///
/// - an object with an array for each class, in which linked objects are written in full;
/// - the same with `$refId` and `$ref`, which Studio up to version 13 writes where links form a
///   circle;
/// - the format of the package `flatted`, which Studio writes since version 14.
///
/// Properties are found by their names in the file or in the program. Dates are ISO 8601 texts,
/// or milliseconds since 1970; bytes are base64; object ids, UUIDs and decimals are texts. All of
/// them may be wrapped as in MongoDB's extended JSON: `{"$numberDecimal": "1.5"}`. Sets are
/// arrays, maps are objects. A link may be written as the primary key of its object.
///
/// ## CSV
/// `init(csv:)` reads a file `ClassName.csv`, or all CSV files of a folder. The first line has
/// the names of the properties. An empty field is nil, or the default of a property that cannot
/// be nil; two quotes are an empty text. A link is the primary key of its target, which is in one
/// of the files or in the realm. Collections are JSON arrays in quotes; maps and embedded objects
/// are JSON objects in quotes.
///
/// ## Which object is which
/// An object is identified by its primary key, its `$refId`, or its place in a `flatted` file.
/// Without any of these, a linked object is the one in its class's array that has the same
/// content. So an export cannot distinguish
///
/// - objects without a primary key that have the same content, links included: a link to one of
///   them leads to the first;
/// - in an `AnyRealmValue`, a text from a date, an id or bytes: they become text;
/// - in an `AnyRealmValue`, a dictionary from an object with the same content: it becomes a link;
/// - NaN and infinity from null: a number that cannot be nil becomes NaN, an optional one becomes
///   nil;
/// - integers beyond 2^53 from their neighbours, as JavaScript rounds them.
///
/// ## Memory
/// The whole file is parsed when the value is made, and takes several times its size in memory
/// until the value is released. The write transaction holds its changes, and an accessor for each
/// object, until it is committed.
///
/// Thread rule: a plain value; make it anywhere, for example off the main thread.
/// ``importAll(into:options:progress:)`` belongs to the realm's thread, queue or actor.
public struct RealmStudioImport: Sendable {
    enum Source: Sendable {
        case json(StudioExport)
        case csv([CSVTable])
    }

    let source: Source

    /// Reads a JSON export. O(size).
    ///
    /// - Throws: ``ImportError`` if the file cannot be read, is not JSON, or is not an export.
    public init(json url: URL) throws {
        source = .json(try StudioExport(try RealmStudioImport.contents(of: url), file: url.path))
    }

    /// Reads a JSON export. O(size).
    ///
    /// - Throws: ``ImportError`` if the data are not JSON, or not an export.
    public init(json data: Data) throws { source = .json(try StudioExport(data, file: nil)) }

    /// Reads a CSV file named after its class, or all CSV files of a folder. O(size).
    ///
    /// - Throws: ``ImportError`` if a file cannot be read, or is not CSV, and if the folder has
    ///   none.
    public init(csv url: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
            isFolder.boolValue
        else {
            self = try RealmStudioImport(
                csv: url, className: url.deletingPathExtension().lastPathComponent)
            return
        }
        let files: [URL]
        do {
            files = try FileManager.default.contentsOfDirectory(
                at: url, includingPropertiesForKeys: nil)
        } catch {
            throw ImportError(
                .fileAccess, ImportPlace(file: url.path), expected: "a folder that can be read",
                underlying: error)
        }
        let tables = try files.filter { $0.pathExtension.lowercased() == "csv" }.sorted {
            $0.lastPathComponent < $1.lastPathComponent
        }.map {
            try CSVTable(
                try RealmStudioImport.contents(of: $0),
                className: $0.deletingPathExtension().lastPathComponent, file: $0.path)
        }
        if tables.isEmpty {
            throw ImportError(
                .fileAccess, ImportPlace(file: url.path),
                expected: "a folder with files that are called 'ClassName.csv'", found: "none")
        }
        source = .csv(tables)
    }

    /// Reads a CSV file with the objects of a class. O(size).
    ///
    /// - Throws: ``ImportError`` if the file cannot be read, or is not CSV.
    public init(csv url: URL, className: String) throws {
        source = .csv([
            try CSVTable(
                try RealmStudioImport.contents(of: url), className: className, file: url.path)
        ])
    }

    /// Reads CSV with the objects of a class. O(size).
    ///
    /// - Throws: ``ImportError`` if the data are not CSV.
    public init(csv data: Data, className: String) throws {
        source = .csv([try CSVTable(data, className: className, file: nil)])
    }

    private static func contents(of url: URL) throws -> Data {
        do {
            return try Data(contentsOf: url)
        } catch {
            throw ImportError(
                .fileAccess, ImportPlace(file: url.path), expected: "a file that can be read",
                underlying: error)
        }
    }

    /// How many objects the lists of the classes have, by class.
    public var objectCounts: [String: Int] {
        switch source {
        case .json(let export):
            Dictionary(export.classes.map { ($0.name, $0.objects.count) }, uniquingKeysWith: +)
        case .csv(let tables):
            Dictionary(tables.map { ($0.className, $0.count) }, uniquingKeysWith: +)
        }
    }

    /// Puts all objects into a realm, in one write transaction. If anything throws, none is
    /// stored.
    ///
    /// All objects are created first, and linked afterwards. O(objects), and O(log n) for each
    /// primary key. Classes without primary keys also need one or a few passes over the file, to
    /// find out which objects are the same.
    ///
    /// - Parameters:
    ///   - realm: A realm with the classes of the export.
    ///   - options: What to do with data that do not fit, and with objects that exist already.
    ///   - progress: Called on this thread, from time to time and at the end. An error that it
    ///     throws cancels the import, and is thrown from here.
    /// - Returns: What was done.
    /// - Throws: ``ImportError`` for data that do not fit, with their place; `Realm.Error` as
    ///   `Realm.write`.
    /// - Note: Call it on the realm's thread, queue or actor. Traps if the realm is in a write
    ///   transaction, as `Realm.write` does.
    @discardableResult
    public func importAll(
        into realm: Realm, options: ImportOptions = ImportOptions(),
        progress: ((ImportProgress) throws -> Void)? = nil
    ) throws -> ImportSummary {
        try realm.write {
            let session = ImportSession(realm, source, options, progress)
            return try session.run()
        }
    }
}
