import Foundation
import Freehold

// Finds the object of the realm that a value of the export means.

extension ImportSession {
    /// Returns the object that a link's value means.
    func linked(
        _ id: JSONDocument.ID, to target: Int, _ context: ReadingContext,
        _ property: ImportedProperty
    ) throws -> DynamicObject {
        guard case .object(let range) = context.document[id],
            context.document.extendedValue(range) == nil
        else { return try linkedByKey(id, to: target, context, property) }
        guard context.isExport else {
            throw refusal(
                id, context, property,
                expected: "the primary key of an object of class '\(classes[target].name)'")
        }
        let found = try record(id, of: target, context, property)
        guard records[found].classIndex == target else {
            throw refusal(
                id, context, property, expected: property.expected,
                found: "an object of class '\(classes[records[found].classIndex].name)'")
        }
        guard let object = records[found].object else {
            preconditionFailure("A record that was found has been stored.")
        }
        return object
    }

    /// Returns the object of a link whose value is a primary key, not an object.
    private func linkedByKey(
        _ id: JSONDocument.ID, to target: Int, _ context: ReadingContext,
        _ property: ImportedProperty
    ) throws -> DynamicObject {
        guard let keyPlace = classes[target].primaryKey else {
            throw refusal(id, context, property, expected: property.expected)
        }
        let key = classes[target].properties[keyPlace]
        guard let value = context.document.scalar(id, as: key.type) as? AnyHashable,
            key.constraint?.accepts(value.base) ?? true
        else {
            throw refusal(
                id, context, property,
                expected: "\(property.expected), or its primary key: \(key.expected)")
        }
        return try object(target, value, refusedAs: context.document.shown(id), context, property)
    }

    /// Returns the object with a primary key, in the export or in the realm.
    func object(
        _ target: Int, _ key: AnyHashable, refusedAs shown: String, _ context: ReadingContext,
        _ property: ImportedProperty
    ) throws -> DynamicObject {
        if let found = recordsByKey[Key(target, key)], let object = records[found].object {
            return object
        }
        if let object = object(target, forPrimaryKey: key) { return object }
        throw ImportError(
            .unknownObject, place(of: context, property),
            expected: """
                the primary key of an object of class '\(classes[target].name)' in the \
                export or in the realm
                """, found: shown)
    }

    private func record(
        _ id: JSONDocument.ID, of target: Int, _ context: ReadingContext,
        _ property: ImportedProperty
    ) throws -> Int {
        if let known = recordsByValue[id] { return known }
        guard case .object(let range) = context.document[id] else {
            preconditionFailure("The caller has looked.")
        }
        if let keyPlace = classes[target].primaryKey {
            let key = classes[target].properties[keyPlace]
            let member =
                context.document.member(of: range, named: key.columnName)
                ?? context.document.member(of: range, named: key.name)
            let value = member.flatMap { context.document.scalar($0, as: key.type) as? AnyHashable }
            let isNull =
                member.map { if case .null = context.document[$0] { true } else { false } } ?? false
            if value != nil || isNull, let known = recordsByKey[Key(target, value)] {
                recordsByValue[id] = known
                return known
            }
        } else if let known = recordWithContent(of: id, target) {
            recordsByValue[id] = known
            return known
        }
        return try newRecord(id, of: target)
    }

    /// Adds an object that is in no list of the export.
    private func newRecord(_ id: JSONDocument.ID, of target: Int) throws -> Int {
        let index = records.count
        recordsByValue[id] = index
        records.append(Record(classIndex: target, content: id, table: 0, row: nil))
        try store(index)
        return index
    }

    /// Returns the object that a value inside of an `AnyRealmValue` means; nil if the value is a
    /// dictionary.
    func objectInMixedValue(_ id: JSONDocument.ID, _ range: Range<Int>, _ context: ReadingContext)
        throws -> DynamicObject?
    {
        guard context.isExport, case .json(let export) = source else { return nil }
        if let known = recordsByValue[id] { return records[known].object }
        if export.shape == .referenced {
            // The name of a reference begins with its class.
            guard let member = export.document.member(of: range, named: "$refId"),
                case .string(let name) = export.document[member],
                let className = name.split(separator: "#").first,
                let target = classIndexes[String(className)], !classes[target].isEmbedded
            else { return nil }
            return records[try newRecord(id, of: target)].object
        }
        setUpContents()
        guard let contents, let known = contents.anyClass[contents.numbers[id]] else { return nil }
        recordsByValue[id] = known
        return records[known].object
    }

    // MARK: Content

    private func recordWithContent(of id: JSONDocument.ID, _ classIndex: Int) -> Int? {
        setUpContents()
        guard let contents else { return nil }
        return contents.records[Content(classIndex: classIndex, number: contents.numbers[id])]
    }

    /// Records the contents of objects; of objects with the same content, the first one.
    private func setUpContents() {
        guard contents == nil, case .json(let export) = source else { return }
        let numbers = ContentNumbers(export)
        var known: [Content: Int] = [:]
        var anyClass: [Int32: Int] = [:]
        for (index, record) in records.enumerated() where record.row != nil {
            let number = numbers[record.content]
            known[Content(classIndex: record.classIndex, number: number)] =
                known[Content(classIndex: record.classIndex, number: number)] ?? index
            anyClass[number] = anyClass[number] ?? index
        }
        contents = (numbers, known, anyClass)
    }
}
