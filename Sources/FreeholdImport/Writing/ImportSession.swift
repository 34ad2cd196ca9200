import Foundation
import Freehold

/// One import, inside of its write transaction.
final class ImportSession {
    /// An object of the export, with its object in the realm.
    struct Record {
        let classIndex: Int
        /// The value in JSON, or the row in CSV.
        let content: Int
        /// The CSV table.
        let table: Int
        /// The position in its class's list, from 1; nil for objects in no list.
        let row: Int?
        var object: DynamicObject?
        /// Whether the realm had the object already.
        var isUpdated = false
    }

    /// A class and a primary key.
    struct Key: Hashable {
        let classIndex: Int
        /// The primary key; nil if it is nil.
        private let value: AnyHashable?

        init(_ classIndex: Int, _ value: AnyHashable?) {
            self.classIndex = classIndex
            self.value = (value?.base as? String).map { AnyHashable(ExactText($0)) } ?? value
        }
    }

    /// A class and the number of a content.
    struct Content: Hashable {
        let classIndex: Int
        let number: Int32
    }

    let realm: Realm
    let source: RealmStudioImport.Source
    let options: ImportOptions
    let progress: ((ImportProgress) throws -> Void)?
    let classes: [ImportedClass]
    let schemas: [ObjectSchema]
    /// The classes by their names in the file. If several classes share a name, the first one
    /// represents them.
    let classIndexes: [String: Int]
    /// The classes by their own names, which properties use. An embedded class has its own index,
    /// because its objects are literals with its properties; another class has the index of its
    /// representative.
    let targetIndexes: [String: Int]

    var summary = ImportSummary()
    var records: [Record] = []
    var recordsByValue: [JSONDocument.ID: Int] = [:]
    var recordsByKey: [Key: Int] = [:]
    /// Set up when an object is first looked up by its content.
    var contents: (numbers: ContentNumbers, records: [Content: Int], anyClass: [Int32: Int])?
    var ignoredProperties: Set<String> = []
    /// By class and name in the document: the property's position, or -1 for a skipped name.
    var placesOfNames: [[Int32: Int]]
    private var linkedCount = 0
    private var storedCount = 0

    init(
        _ realm: Realm, _ source: RealmStudioImport.Source, _ options: ImportOptions,
        _ progress: ((ImportProgress) throws -> Void)?
    ) {
        self.realm = realm
        self.source = source
        self.options = options
        self.progress = progress
        schemas = realm.schema.objectSchema
        classes = schemas.map(ImportedClass.init)
        let indexes = Dictionary(
            classes.enumerated().map { ($0.element.tableName, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        classIndexes = indexes
        targetIndexes = Dictionary(
            uniqueKeysWithValues: classes.enumerated().map { index, imported in
                (imported.name, imported.isEmbedded ? index : indexes[imported.tableName] ?? index)
            })
        placesOfNames = Array(repeating: [:], count: classes.count)
    }

    func run() throws -> ImportSummary {
        try listRecords()
        for index in records.indices {
            try store(index)
            try tell()
        }
        // Objects that are in no list are found here, and appended.
        while linkedCount < records.count {
            try link(linkedCount)
            linkedCount += 1
            try tell()
        }
        try progress?(state)
        summary.ignoredClasses.sort()
        summary.ignoredProperties = ignoredProperties.sorted()
        return summary
    }

    private var state: ImportProgress {
        ImportProgress(
            storedObjects: storedCount, linkedObjects: linkedCount, totalObjects: records.count)
    }

    private func tell() throws {
        guard let progress, (storedCount + linkedCount).isMultiple(of: 1000) else { return }
        try progress(state)
    }

    // MARK: Records

    private func listRecords() throws {
        switch source {
        case .json(let export):
            for listed in export.classes {
                let line = export.document.line(of: listed.list)
                guard
                    let classIndex = try classIndex(
                        of: listed.name,
                        ImportPlace(file: export.file, className: listed.name, line: line))
                else { continue }
                // Embedded objects are stored with their owners.
                if classes[classIndex].isEmbedded { continue }
                for (row, id) in listed.objects.enumerated() where recordsByValue[id] == nil {
                    recordsByValue[id] = records.count
                    records.append(
                        Record(classIndex: classIndex, content: id, table: 0, row: row + 1))
                }
            }
        case .csv(let tables):
            for (index, table) in tables.enumerated() {
                let place = ImportPlace(file: table.file, className: table.className)
                guard let classIndex = try classIndex(of: table.className, place) else { continue }
                if classes[classIndex].isEmbedded {
                    throw ImportError(
                        .unknownClass, place, expected: "a class of objects of their own",
                        found: "a class of embedded objects",
                        remedy: """
                            Write embedded objects as JSON into the field of the property \
                            that has them.
                            """)
                }
                records += (0..<table.count).map {
                    Record(classIndex: classIndex, content: $0, table: index, row: $0 + 1)
                }
            }
        }
    }

    private func classIndex(of name: String, _ place: ImportPlace) throws -> Int? {
        if let index = classIndexes[name] { return index }
        guard options.ignoresUnknownClasses else {
            throw ImportError(
                .unknownClass, place,
                expected: "a class of the realm (\(list(classes.map(\.tableName))))",
                found: "'\(name)'",
                remedy: """
                    Add the class to the realm's object types, or set \
                    ImportOptions.ignoresUnknownClasses.
                    """)
        }
        if !summary.ignoredClasses.contains(name) { summary.ignoredClasses.append(name) }
        return nil
    }

    func list(_ names: [String]) -> String {
        names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    }

    // MARK: Storing

    /// Creates the object, or finds it by its primary key, and sets all properties that lead to
    /// no other object.
    func store(_ index: Int) throws {
        let record = records[index]
        let importedClass = classes[record.classIndex]
        var values: [String: Any] = [:]
        for (place, value) in try self.values(of: record, linking: false) {
            values[importedClass.properties[place].name] = value
        }
        var policy = Realm.UpdatePolicy.error
        if let primaryKey = importedClass.primaryKey {
            let isUpdated = try checkPrimaryKey(
                values[importedClass.properties[primaryKey].name], of: index)
            records[index].isUpdated = isUpdated
            if isUpdated { policy = options.existingObjects }
        }
        records[index].object = realm.dynamicCreate(
            importedClass.name, value: values, update: policy)
        storedCount += 1
        if records[index].isUpdated {
            summary.updated[importedClass.name, default: 0] += 1
        } else {
            summary.created[importedClass.name, default: 0] += 1
        }
        if record.row == nil { summary.unlisted[importedClass.name, default: 0] += 1 }
    }

    /// Whether the realm has an object with this primary key. Throws if it must not, and if the
    /// export has a second one.
    private func checkPrimaryKey(_ value: Any?, of index: Int) throws -> Bool {
        let record = records[index]
        let importedClass = classes[record.classIndex]
        guard let place = importedClass.primaryKey else { return false }
        let property = importedClass.properties[place]
        guard let value else {
            throw ImportError(
                .invalidValue, self.place(of: record, property: property.name),
                expected: "a primary key: \(property.expected)", found: "none")
        }
        let keyValue = value is NSNull ? nil : value as? AnyHashable
        let key = Key(record.classIndex, keyValue)
        if let other = recordsByKey[key] {
            let shownKey = value is NSNull ? "null" : "\(value)"
            throw ImportError(
                .duplicatePrimaryKey, self.place(of: record, property: property.name),
                expected: "each primary key once",
                found: "\(shownKey), which object \(records[other].row ?? 0) has, too")
        }
        recordsByKey[key] = index
        guard object(record.classIndex, forPrimaryKey: keyValue) != nil else { return false }
        if options.existingObjects == .error {
            throw ImportError(
                .existingPrimaryKey, self.place(of: record, property: property.name),
                expected: "a primary key that the realm does not have yet",
                found: value is NSNull ? "null" : "\(value)",
                remedy: """
                    Set ImportOptions.existingObjects to .modified or .all to change the \
                    objects that are there.
                    """)
        }
        return true
    }

    func object(_ classIndex: Int, forPrimaryKey key: AnyHashable?) -> DynamicObject? {
        realm.dynamicObject(
            ofType: classes[classIndex].name, forPrimaryKey: key.map(\.base) ?? NSNull())
    }

    // MARK: Linking

    /// Sets the properties that lead to other objects, and embedded objects, which may contain
    /// links.
    private func link(_ index: Int) throws {
        let record = records[index]
        let importedClass = classes[record.classIndex]
        let values = try self.values(of: record, linking: true)
        guard !values.isEmpty, let object = record.object else { return }
        guard record.isUpdated, let primaryKey = importedClass.primaryKey else {
            for (place, value) in values { object[importedClass.properties[place].name] = value }
            return
        }
        let key = importedClass.properties[primaryKey].name
        var changes: [String: Any] = [key: object[key] ?? NSNull()]
        for (place, value) in values { changes[importedClass.properties[place].name] = value }
        realm.dynamicCreate(importedClass.name, value: changes, update: options.existingObjects)
    }

    // MARK: Places

    func place(of record: Record, line: Int? = nil, property: String? = nil) -> ImportPlace {
        switch source {
        case .json(let export):
            ImportPlace(
                file: export.file, className: classes[record.classIndex].name, row: record.row,
                line: line ?? export.document.line(of: record.content), property: property)
        case .csv(let tables):
            ImportPlace(
                file: tables[record.table].file, className: classes[record.classIndex].name,
                row: record.row, line: tables[record.table].line(of: record.content),
                property: property)
        }
    }
}
