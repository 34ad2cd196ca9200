import Freehold

// One program at three moments of its life. In a real one only the last classes are left; here
// each version has its own, under one name in the file.

class Contact: Object {
    override class func className() -> String { "Contact" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

enum First {
    final class Contact: Migrations.Contact {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var firstName = ""
        @Persisted var lastName = ""
        @Persisted var phone = 0
        @Persisted var city = ""
    }
}

/// One name, phone numbers as texts, and cities that several contacts share.
enum Second {
    final class Contact: Migrations.Contact {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var name = ""
        @Persisted var phone = ""
        @Persisted var city: City?
    }

    final class City: Object {
        override class func className() -> String { "City" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted(primaryKey: true) var name = ""
        @Persisted(originProperty: "city") var contacts: LinkingObjects<Contact>
    }
}

/// Another name for a property, several numbers, and nothing is required that people may not know.
enum Third {
    final class Contact: Migrations.Contact {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var fullName: String?
        @Persisted var phones: List<String>
        @Persisted var home: City?
    }

    final class City: Object {
        override class func className() -> String { "City" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted(primaryKey: true) var name = ""
        @Persisted(originProperty: "home") var contacts: LinkingObjects<Contact>
    }
}
