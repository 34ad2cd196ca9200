import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What a migration leaves in the history.
@Suite struct HistoryMigrationTests {
    private func configuration(
        _ directory: TemporaryDirectory, _ version: UInt64, _ classes: [ObjectBase.Type],
        _ policy: Realm.HistoryPolicy? = nil, _ block: MigrationBlock? = nil
    ) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: directory.file(), schemaVersion: version, migrationBlock: block,
            objectTypes: classes)
        configuration.history = policy
        return configuration
    }

    /// Makes a file, then opens it with later classes, and gives the changes of the migration.
    private func migrate(
        from old: [ObjectBase.Type], to new: [ObjectBase.Type],
        _ policy: Realm.HistoryPolicy = .kept(for: .forever), filling fill: (Realm) -> Void,
        _ block: @escaping MigrationBlock,
        _ body: (Realm, [HistoryChange]) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            func make() throws {
                let realm = try Realm(configuration: configuration(directory, 0, old, policy))
                try realm.write { fill(realm) }
            }
            try make()
            let realm = try Realm(configuration: configuration(directory, 1, new, nil, block))
            let token = try realm.historyToken
            let all = Array(try realm.history())
            #expect(all.last?.token == token)
            try body(realm, all.dropFirst().flatMap { Array($0.changes) })
            // The history goes on.
            let last = try realm.historyToken
            try realm.write(author: "after") {
                realm.add(V1.Target(value: ["name": "later"]))
            }
            #expect(try realm.history(after: last).map(\.author) == ["after"])
            #expect(try realm.check().isEmpty)
        }
    }

    /// Links of removed properties become null where their targets are deleted: that is no change.
    @Test func removedLinksToDeletedObjects() throws {
        try migrate(from: [V0.Item.self, V0.Target.self], to: [V1.Item.self, V1.Target.self]) {
            realm in
            for key in ["a", "b", "c"] {
                let item = realm.create(V0.Item.self, value: ["id": key])
                let target = realm.create(V0.Target.self, value: ["name": key])
                if key == "c" { continue }
                item.link = target
                item.links.append(target)
                item.any = .object(target)
                item.anything["x"] = .object(target)
                item.kept = 1
            }
        } _: { migration, _ in
            migration.enumerateObjects(ofType: "Target") { old, new in
                if let new { migration.delete(new) }
            }
            migration.enumerateObjects(ofType: "Item") { old, new in
                if new?["id"] as? String == "b" { new?["kept"] = 2 }
            }
        } _: { _, changes in
            #expect(
                Set(changes.map(\.name)) == [
                    "Item \"b\" updated kept", "Target #0 deleted", "Target #1 deleted",
                    "Target #2 deleted",
                ])
        }
    }

    @Test func removedLinksAreTheOnlyChange() throws {
        try migrate(from: [V0.Item.self, V0.Target.self], to: [V1.Item.self, V1.Target.self]) {
            realm in
            realm.create(V0.Item.self, value: ["id": "a", "link": ["name": "x"]])
        } _: { migration, _ in
            migration.deleteData(forType: "Target")
            migration.create("Target", value: ["name": "y"])
        } _: { _, changes in
            #expect(!changes.contains { $0.className == "V1_Item" })
            #expect(changes.contains { $0.className == "V1_Target" })
        }
    }

    @Test func oldValuesOfAnotherType() throws {
        try migrate(
            from: [V0.Priced.self, V0.Target.self], to: [V1.Priced.self, V1.Target.self],
            .kept(for: .forever, values: true)
        ) { realm in
            realm.create(V0.Priced.self, value: ["id": "a", "total": 9.5, "note": "n"])
        } _: { migration, _ in
            migration.enumerateObjects(ofType: "Priced") { old, new in
                new?["total"] = "\(old?["total"] as? Double ?? 0)"
                new?["note"] = old?["note"]
            }
        } _: { realm, changes in
            // The optional note has the value that it had.
            try #require(changes.map(\.name) == ["Priced \"a\" updated total"])
            #expect(changes[0].oldValues == ["total": .double(9.5)])
            #expect(changes[0].newValues == ["total": .string("9.5")])
        }
    }

    /// A property of another type is a new column. Rows that have its default are changes, too.
    @Test func valuesThatBecomeTheDefault() throws {
        try migrate(
            from: [V0.Flagged.self, V0.Target.self], to: [V1.Flagged.self, V1.Target.self],
            .kept(for: .forever, values: true)
        ) { realm in
            realm.create(V0.Flagged.self, value: ["id": "a", "flag": true])
            realm.create(V0.Flagged.self, value: ["id": "b", "flag": false])
        } _: { _, _ in
        } _: { _, changes in
            try #require(
                changes.map(\.name) == ["Flagged \"a\" updated flag", "Flagged \"b\" updated flag"])
            #expect(changes.map(\.oldValues) == [["flag": true], ["flag": false]])
            #expect(changes.map(\.newValues) == [["flag": 1], ["flag": 0]])
        }
    }

    /// Nothing can be converted, so no row is written.
    @Test func lostValuesAreChanges() throws {
        try migrate(
            from: [V0.Noted.self, V0.Target.self], to: [V1.Noted.self, V1.Target.self],
            .kept(for: .forever, values: true)
        ) { realm in
            realm.create(V0.Noted.self, value: ["id": "a", "note": "abc"])
        } _: { _, _ in
        } _: { _, changes in
            try #require(changes.map(\.name) == ["Noted \"a\" updated note"])
            #expect(changes[0].oldValues == ["note": "abc"])
            #expect(changes[0].newValues == ["note": 0])
        }
    }

    @Test func onlyOtherValuesOfAnotherTypeAreChanges() throws {
        try migrate(from: [V0.Reset.self, V0.Target.self], to: [V1.Reset.self, V1.Target.self]) {
            realm in
            realm.create(V0.Reset.self, value: ["id": "a", "words": ["x"], "name": "n"])
            realm.create(V0.Reset.self, value: ["id": "b", "nick": "", "name": "n"])
            realm.create(V0.Reset.self, value: ["id": "c", "words": ["x"]])
        } _: { migration, _ in
            migration.enumerateObjects(ofType: "Reset") { old, new in
                if let new, new["id"] as? String == "c" { migration.delete(new) }
            }
            migration.create("Reset", value: ["id": "d"])
        } _: { _, changes in
            #expect(
                changes.map(\.name) == [
                    "Reset \"c\" deleted", "Reset \"d\" inserted",
                    "Reset \"a\" updated words,nick",
                ])
        }
    }

    @Test func oldLinksHaveTheirPrimaryKeys() throws {
        try migrate(
            from: [V0.Linked.self, V0.Named.self, V0.Target.self],
            to: [V1.Linked.self, V1.Named.self, V1.Target.self],
            .kept(for: .forever, values: true)
        ) { realm in
            realm.create(V0.Linked.self, value: ["id": "a", "link": ["name": "x"]])
        } _: { migration, _ in
            migration.enumerateObjects(ofType: "Linked") { _, new in new?["link"] = "to x" }
        } _: { _, changes in
            try #require(changes.map(\.name) == ["Linked \"a\" updated link"])
            #expect(changes[0].newValues == ["link": "to x"])
            guard case .object(let target)? = changes[0].oldValues["link"] else {
                Issue.record("\(changes[0].oldValues)")
                return
            }
            #expect(target.primaryKey == .string("x"))
        }
    }

    /// The first rows of two classes have the same key in their files, and are different objects.
    @Test func linksToAnotherClassAreChanges() throws {
        try migrate(
            from: [V0.Retargeted.self, V0.Named.self, V0.Target.self],
            to: [V1.Retargeted.self, V1.Named.self, V1.Other.self, V1.Target.self],
            .kept(for: .forever, values: true)
        ) { realm in
            let named = realm.create(V0.Named.self, value: ["name": "x"])
            let first = realm.create(V0.Retargeted.self, value: ["id": "a"])
            first.link = named
            first.links.append(named)
            realm.create(V0.Retargeted.self, value: ["id": "b"])
        } _: { migration, _ in
            let other = migration.create("Other", value: ["name": "y"])
            migration.enumerateObjects(ofType: "Retargeted") { old, new in
                guard old?["id"] as? String == "a" else { return }
                new?["link"] = other
                new?.dynamicList("links").append(other)
            }
        } _: { _, changes in
            let names = changes.map(\.name).sorted()
            try #require(
                names == ["Other \"y\" inserted", "Retargeted \"a\" updated link,links"])
            let change = try #require(changes.first { $0.name.hasPrefix("Retargeted") })
            guard case .object(let old)? = change.oldValues["link"],
                case .object(let new)? = change.newValues["link"]
            else {
                Issue.record("\(change.oldValues) \(change.newValues)")
                return
            }
            #expect(old.className.hasSuffix("Named") && old.primaryKey == .string("x"))
            #expect(new.className.hasSuffix("Other") && new.primaryKey == .string("y"))
        }
    }

    /// A property that becomes optional moves to another column.
    @Test func optionalPropertiesStayPreserved() throws {
        try migrate(
            from: [V0.Labelled.self, V0.Target.self], to: [V1.Labelled.self, V1.Target.self]
        ) { realm in
            for key in [7, 8, 9] {
                realm.create(V0.Labelled.self, value: ["id": key, "label": "l\(key)"])
            }
        } _: { migration, _ in
            migration.renameProperty(onType: "Labelled", from: "label", to: "title")
            migration.enumerateObjects(ofType: "Labelled") { old, new in
                if let new, old?["id"] as? Int == 8 { migration.delete(new) }
            }
        } _: { realm, changes in
            // The others have the values that they had.
            try #require(changes.map(\.name) == ["Labelled 8 deleted"])
            if case .deleted(let tombstone) = changes[0].kind {
                #expect(tombstone == ["label": "l8"])
            }
            let token = try realm.historyToken
            try realm.write { realm.delete(realm.objects(V1.Labelled.self)) }
            let tombstones = try realm.history(after: token).flatMap(\.changes).map(\.kind)
            let titles = tombstones.compactMap { kind in
                if case .deleted(let tombstone) = kind { tombstone["title"] ?? nil } else { nil }
            }
            #expect(Set(titles) == ["l7", "l9"])
        }
    }

    @Test func tombstonesHaveTheirFormerKeysAndNames() throws {
        try migrate(from: [V0.Keyed.self, V0.Target.self], to: [V1.Keyed.self, V1.Target.self]) {
            realm in
            for key in [7, 8, 9] {
                realm.create(V0.Keyed.self, value: ["id": key, "label": "l\(key)"])
            }
        } _: { migration, _ in
            migration.renameProperty(onType: "Keyed", from: "label", to: "title")
            migration.enumerateObjects(ofType: "Keyed") { old, new in
                guard let new, let id = old?["id"] as? Int else { return }
                new["uuid"] = "u\(id)"
                if id == 8 { migration.delete(new) }
            }
        } _: { realm, changes in
            let deletions = changes.filter(\.isDeletion)
            #expect(deletions.map(\.name) == ["Keyed 8 deleted"])
            if case .deleted(let tombstone) = deletions.first?.kind {
                #expect(tombstone == ["title": "l8"] || tombstone == ["label": "l8"])
            }
            let others = changes.filter { !$0.isDeletion }
            #expect(
                Set(others.map(\.name)) == [
                    "Keyed \"u7\" updated uuid", "Keyed \"u9\" updated uuid",
                ])
            // The preserved property is known by its new name from now on.
            let token = try realm.historyToken
            try realm.write { realm.delete(realm.objects(V1.Keyed.self)) }
            let tombstones = try realm.history(after: token).flatMap(\.changes).map(\.kind)
            let titles = tombstones.compactMap { kind in
                if case .deleted(let tombstone) = kind { tombstone["title"] ?? nil } else { nil }
            }
            #expect(Set(titles) == ["l7", "l9"])
        }
    }
}

extension HistoryChange {
    /// Without the name of the enumeration.
    fileprivate var name: String { text.replacingOccurrences(of: "V1_", with: "") }
}

private class Model: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private enum V0 {
    final class Item: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var link: Target?
        @Persisted var links: List<Target>
        @Persisted var any: AnyRealmValue
        @Persisted var anything: Map<String, AnyRealmValue>
        @Persisted var kept = 0
        override class func _realmObjectName() -> String? { "Item" }
    }

    final class Priced: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var total = 0.0
        @Persisted var note = ""
        override class func _realmObjectName() -> String? { "Priced" }
    }

    final class Target: Model {
        @Persisted var name = ""
        override class func _realmObjectName() -> String? { "Target" }
    }

    final class Keyed: Model {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(preservedInHistory: true) var label = ""
        override class func _realmObjectName() -> String? { "Keyed" }
    }

    final class Flagged: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var flag = false
        override class func _realmObjectName() -> String? { "Flagged" }
    }

    final class Noted: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var note = ""
        override class func _realmObjectName() -> String? { "Noted" }
    }

    final class Reset: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var words: List<String>
        @Persisted var nick: String?
        @Persisted var name = ""
        override class func _realmObjectName() -> String? { "Reset" }
    }

    final class Named: Model {
        @Persisted(primaryKey: true) var name = ""
        override class func _realmObjectName() -> String? { "Named" }
    }

    final class Linked: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var link: Named?
        override class func _realmObjectName() -> String? { "Linked" }
    }

    final class Retargeted: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var link: Named?
        @Persisted var links: List<Named>
        override class func _realmObjectName() -> String? { "Retargeted" }
    }

    final class Labelled: Model {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(preservedInHistory: true) var label = ""
        override class func _realmObjectName() -> String? { "Labelled" }
    }
}

private enum V1 {
    final class Item: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var kept = 0
        override class func _realmObjectName() -> String? { "Item" }
    }

    final class Priced: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var total = ""
        @Persisted var note: String?
        override class func _realmObjectName() -> String? { "Priced" }
    }

    final class Target: Model {
        @Persisted var name = ""
        override class func _realmObjectName() -> String? { "Target" }
    }

    final class Keyed: Model {
        @Persisted(primaryKey: true) var uuid = ""
        @Persisted var title = ""
        override class func _realmObjectName() -> String? { "Keyed" }
    }

    final class Flagged: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var flag = 0
        override class func _realmObjectName() -> String? { "Flagged" }
    }

    final class Noted: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var note = 0
        override class func _realmObjectName() -> String? { "Noted" }
    }

    final class Reset: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var words: List<Int>
        @Persisted var nick = ""
        @Persisted var name: String?
        override class func _realmObjectName() -> String? { "Reset" }
    }

    final class Named: Model {
        @Persisted(primaryKey: true) var name = ""
        override class func _realmObjectName() -> String? { "Named" }
    }

    final class Linked: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var link = ""
        override class func _realmObjectName() -> String? { "Linked" }
    }

    final class Other: Model {
        @Persisted(primaryKey: true) var name = ""
        override class func _realmObjectName() -> String? { "Other" }
    }

    final class Retargeted: Model {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var link: Other?
        @Persisted var links: List<Other>
        override class func _realmObjectName() -> String? { "Retargeted" }
    }

    final class Labelled: Model {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var title: String?
        override class func _realmObjectName() -> String? { "Labelled" }
    }
}
