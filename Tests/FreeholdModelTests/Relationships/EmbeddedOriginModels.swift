import Freehold

/// Models whose `LinkingObjects` come from embedded classes.
enum EmbeddedOrigins {
    static let all: [ObjectBase.Type] = [Root.self, Mid.self, Child.self, Tag.self]

    class Root: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var mid: Mid?
        @Persisted var mids: List<Mid>
        @Persisted var keyed: Map<String, Mid?>

        convenience init(id: Int, mid: Mid? = nil) {
            self.init()
            self.id = id
            self.mid = mid
        }
    }

    class Mid: EmbeddedObject {
        @Persisted var name = ""
        @Persisted var rank = 0
        @Persisted var child: Child?
        @Persisted var children: List<Child>
        @Persisted var named: Map<String, Child?>
        @Persisted(indexed: true) var code: Int?
        @Persisted var tag: Tag?
        @Persisted var tags: List<Tag>
        @Persisted var tagSet: MutableSet<Tag>
        @Persisted var tagMap: Map<String, Tag?>
        // From an embedded object to its owners, each way there is to own it.
        @Persisted(originProperty: "mid") var roots: LinkingObjects<Root>
        @Persisted(originProperty: "mids") var listRoots: LinkingObjects<Root>
        @Persisted(originProperty: "keyed") var mapRoots: LinkingObjects<Root>

        convenience init(_ name: String, rank: Int = 0) {
            self.init()
            self.name = name
            self.rank = rank
        }
    }

    /// Embedded, with owners that are embedded.
    class Child: EmbeddedObject {
        @Persisted var number = 0
        @Persisted(originProperty: "child") var parents: LinkingObjects<Mid>
        @Persisted var listParents = LinkingObjects(fromType: Mid.self, property: "children")
        @Persisted(originProperty: "named") var mapParents: LinkingObjects<Mid>

        convenience init(_ number: Int) {
            self.init()
            self.number = number
        }
    }

    /// No embedded object, with links from embedded ones.
    class Tag: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(originProperty: "tag") var uses: LinkingObjects<Mid>
        @Persisted var listUses = LinkingObjects(fromType: Mid.self, property: "tags")
        @Persisted(originProperty: "tagSet") var setUses: LinkingObjects<Mid>
        @Persisted(originProperty: "tagMap") var mapUses: LinkingObjects<Mid>

        convenience init(id: Int) {
            self.init()
            self.id = id
        }
    }
}

/// ``EmbeddedOrigins`` before anything linked back.
enum EarlierEmbeddedOrigins {
    static let all: [ObjectBase.Type] = [Root.self, Mid.self, Child.self, Tag.self]

    final class Root: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var mid: Mid?
        @Persisted var mids: List<Mid>
        @Persisted var keyed: Map<String, Mid?>
        override class func className() -> String { "EmbeddedOrigins_Root" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Mid: EmbeddedObject {
        @Persisted var name = ""
        @Persisted var rank = 0
        @Persisted var child: Child?
        @Persisted var children: List<Child>
        @Persisted var named: Map<String, Child?>
        @Persisted(indexed: true) var code: Int?
        @Persisted var tag: Tag?
        @Persisted var tags: List<Tag>
        @Persisted var tagSet: MutableSet<Tag>
        @Persisted var tagMap: Map<String, Tag?>
        override class func className() -> String { "EmbeddedOrigins_Mid" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Child: EmbeddedObject {
        @Persisted var number = 0
        override class func className() -> String { "EmbeddedOrigins_Child" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Tag: Object {
        @Persisted(primaryKey: true) var id = 0
        override class func className() -> String { "EmbeddedOrigins_Tag" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
