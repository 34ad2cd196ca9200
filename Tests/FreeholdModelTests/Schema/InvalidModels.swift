import Foundation
import Freehold
import FreeholdRealmTestSupport

// Declarations with mistakes. None belongs to default schemas, so other tests do not meet them.

enum InvalidModels {
    class NoProperties: Object {
        var plain = 1
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// Belongs to default schemas while a test says so.
    class NoPropertiesByDefault: Object {
        @TaskLocal static var isIncluded = false
        override class func shouldIncludeInDefaultSchema() -> Bool { isIncluded }
    }

    /// Not an error of its own, unless a value is read.
    class NoCases: Object {
        @Persisted var choice: EmptyEnum
        @Persisted var optional: EmptyEnum?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// Lists no cases. Swift 6.3 ends with an assertion where a property has an enum that
    /// really has none.
    enum EmptyEnum: String, PersistableEnum {
        case hidden
        static var allCases: [EmptyEnum] { [] }
    }

    class RequiredLink: Object {
        @Persisted var dog: ObjectModels.Dog
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class TwoPrimaryKeys: Object {
        @Persisted(primaryKey: true) var a = 0
        @Persisted(primaryKey: true) var b = ""
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class TwoPrimaryKeysInDifferentWays: Object {
        @Persisted(primaryKey: true) var a = 0
        @Persisted var b = ""
        override class func primaryKey() -> String? { "b" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class BoolPrimaryKey: Object {
        @Persisted(primaryKey: true) var flag = false
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class WrongNames: Object {
        @Persisted var value = 0
        @Persisted var amount = 0.0
        override class func primaryKey() -> String? { "id" }
        override class func indexedProperties() -> [String] { ["amount", "size"] }
        override class func propertiesMapping() -> [String: String] { ["colour": "color"] }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Aliases: Object {
        @Persisted var a = 0
        @Persisted var b = 0
        @Persisted var c = 0
        @Persisted var d = 0
        override class func propertiesMapping() -> [String: String] {
            ["a": "b", "c": "x", "d": "x"]
        }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Recursive: Object {
        @Persisted var count = (try? ClassSchemaProbe.propertyCount(of: Recursive.self)) ?? 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

class GenericModel<Value>: Object {
    @Persisted var text = ""
}

class InstanceOfGenericModel: GenericModel<Int> {
    @Persisted var number = 0
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class PrivateModel: Object {
    @Persisted var text = ""
}

class RenamedModel: Object {
    @Persisted var title = ""
    @Persisted var hidden = 0
    @Persisted(indexed: true) var date: Date
    @Persisted var count = 0
    override class func className() -> String { "Renamed" }
    override class func ignoredProperties() -> [String] { ["hidden"] }
    override class func propertiesMapping() -> [String: String] { ["title": "headline"] }
    override class func indexedProperties() -> [String] { ["count"] }
    override class func primaryKey() -> String? { "title" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

func privateModel() -> ObjectBase.Type { PrivateModel.self }

func localModel() -> ObjectBase.Type {
    class LocalModel: Object {
        @Persisted var text = ""
        class Inner: Object {
            @Persisted var text = ""
        }
    }
    return LocalModel.self
}
