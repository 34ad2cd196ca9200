public import Foundation
import FreeholdStorage

/// A value that the history has of a property.
public typealias HistoryValue = DraftValue
/// Names an object in the history. Its ``DraftObject/owner`` is nil:
/// ``HistoryChange/owner`` has the owner of an embedded object.
public typealias HistoryObject = DraftObject

/// A transaction as the history has it: who changed what, and when.
///
/// Asynchronous writes that share a sync, and have the same author, are one transaction.
///
/// Thread rule: a plain value; use it anywhere.
public struct HistoryTransaction: Sendable {
    let entry: HistoryEntry
    let names: HistoryNames
    /// The place behind the transaction. Save it when the transaction has been processed.
    public let token: HistoryToken

    init(_ entry: HistoryEntry, _ token: HistoryReader.Token, _ names: HistoryNames) {
        self.entry = entry
        self.names = names
        self.token = HistoryToken(token)
    }

    /// What `realm.write(author:)` was given; nil without.
    public var author: String? { entry.author }

    /// When the transaction was committed, by the clock of its process.
    public var date: Date { Date(timeIntervalSinceReferenceDate: entry.head.time) }

    /// The name of the process that committed.
    public var processName: String { entry.processName }

    /// The id of the process that committed.
    public var processIdentifier: Int32 { entry.processID }

    /// The changes, lazily: those of one class after another, and of each class the deletions,
    /// the insertions and the updates, by ascending rows.
    public var changes: HistoryChanges { HistoryChanges(entry, names, only: nil) }

    /// The changes of one class. O(1).
    public func changes(of type: ObjectBase.Type) -> HistoryChanges {
        changes(ofClassNamed: type.className())
    }

    /// The changes of the class with a name. O(1).
    public func changes(ofClassNamed name: String) -> HistoryChanges {
        HistoryChanges(entry, names, only: name)
    }

    /// The names of the classes with changes.
    public var classNames: [String] {
        var found: [String] = []
        // A class has two tables here if a migration gave it another primary key.
        for table in entry.tables {
            let name = names.className(table.name)
            if found.last != name { found.append(name) }
        }
        return found
    }
}

/// The program's names of what the file calls otherwise.
final class HistoryNames: Sendable {
    private let classes: [String: ClassSchema]

    init(_ schema: BoundSchema) {
        classes = Dictionary(
            schema.classOfEachTable.map { ($0.schema.tableName, $0.schema) },
            uniquingKeysWith: { first, _ in first })
    }

    func className(_ table: String) -> String { classes[table]?.className ?? table }

    func propertyNames(_ table: HistoryEntry.Table) -> [String] {
        let properties = classes[table.name]?.properties ?? []
        return table.columns.map { column in
            let name = column.definition.name
            return properties.first { $0.columnName == name }?.name ?? name
        }
    }
}
