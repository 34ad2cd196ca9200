import Foundation
package import Freehold
package import Testing

/// A file with a realm that observes, on a scheduler that is stepped by hand, and one that
/// writes. Both are used on the thread that makes this.
package final class Observatory {
    private let directory: TemporaryDirectory?
    package let configuration: Realm.Configuration
    package let scheduler = ManualScheduler()
    /// The realm that observes.
    package let realm: Realm
    /// Another realm of the file, which moves by its own writes only.
    package let writer: Realm

    package convenience init(_ types: [ObjectBase.Type] = ObservedModels.all) throws {
        let directory = try TemporaryDirectory()
        try self.init(
            Realm.Configuration(fileURL: directory.file(), objectTypes: types), in: directory)
    }

    /// - Parameter directory: Deleted when the observatory is closed.
    package init(_ configuration: Realm.Configuration, in directory: TemporaryDirectory? = nil)
        throws
    {
        self.directory = directory
        self.configuration = configuration
        writer = try Realm(configuration: configuration)
        realm = try Realm(configuration: configuration, scheduler: scheduler)
    }

    /// Does everything that can be done, until nothing is on its way any more.
    package func deliver() {
        repeat {
            realm.waitForNotifier()
            scheduler.runAll()
            realm.waitForNotifier()
        } while scheduler.workCount > 0
    }

    /// Verifies the file and deletes it.
    package func close(sourceLocation: SourceLocation = #_sourceLocation) throws {
        if writer.isInWriteTransaction { writer.cancelWrite() }
        writer.refresh()
        let problems = try writer.check()
        #expect(
            problems.isEmpty, "The file is kept at \(configuration.fileURL?.path ?? "?").",
            sourceLocation: sourceLocation)
        if problems.isEmpty { directory?.delete() }
    }
}

/// Runs `body` with an observatory, and verifies the file afterwards.
package func withObservatory(
    _ types: [ObjectBase.Type] = ObservedModels.all,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (Observatory) throws -> Void
) throws {
    let observatory = try Observatory(types)
    try body(observatory)
    try observatory.close(sourceLocation: sourceLocation)
}

/// What observers of collections were told, as text: "initial 3" or "-[0] +[1, 2] *[]".
package final class ChangeLog {
    package private(set) var entries: [String] = []

    package init() {}

    /// What was told since the last time.
    package func take() -> [String] {
        defer { entries = [] }
        return entries
    }

    package func add(_ entry: String) { entries.append(entry) }

    package func add<C: Collection>(_ change: RealmCollectionChange<C>) {
        switch change {
        case .initial(let collection): add("initial \(collection.count)")
        case .update(_, let deletions, let insertions, let modifications):
            add("-\(deletions) +\(insertions) *\(modifications)")
        case .error(let error): add("error \(error)")
        }
    }

    package func add<M>(_ change: RealmMapChange<M>) {
        switch change {
        case .initial(let map): add("initial \(map.count)")
        case .update(_, let deletions, let insertions, let modifications):
            add("-\(deletions) +\(insertions) *\(modifications)")
        case .error(let error): add("error \(error)")
        }
    }

    package func add<T>(_ change: ObjectChange<T>) {
        switch change {
        case .change(_, let properties):
            add(
                properties.map {
                    "\($0.name): \(Self.text($0.oldValue)) -> \(Self.text($0.newValue))"
                }.joined(separator: ", "))
        case .deleted: add("deleted")
        case .error(let error): add("error \(error)")
        }
    }

    private static func text(_ value: Any?) -> String {
        guard let value else { return "nil" }
        if let values = value as? any RandomAccessCollection { return "\(values.count) values" }
        return (value as? ObservedModels.Item).map { "Item \($0.id)" } ?? "\(value)"
    }
}

package enum ObservedModels {
    package static let all: [ObjectBase.Type] = [Item.self, Part.self]

    package final class Item: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted(indexed: true) package var name = ""
        @Persisted package var rank = 0
        @Persisted package var score: Double?
        @Persisted package var next: Item?
        @Persisted package var children: List<Item>
        @Persisted package var friends: MutableSet<Item>
        @Persisted package var numbers: List<Int>
        @Persisted package var tags: MutableSet<String>
        @Persisted package var marks: Map<String, Int>
        @Persisted package var related: Map<String, Item?>
        @Persisted package var anything: AnyRealmValue
        @Persisted package var part: Part?
        @Persisted(originProperty: "next") package var previous: LinkingObjects<Item>
        @Persisted(originProperty: "children") package var parents: LinkingObjects<Item>

        package convenience init(id: Int, name: String = "", rank: Int = 0) {
            self.init()
            self.id = id
            self.name = name
            self.rank = rank
        }
    }

    package final class Part: EmbeddedObject {
        @Persisted package var size = 0
    }
}
