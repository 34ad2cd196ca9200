import Freehold

// Three versions of one program. A real program has only the newest classes. Here each version has
// its own classes, with the same names in the file.

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

/// Version 2: one name, phone numbers as texts, and cities that several contacts share.
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

/// Version 3: a renamed property, several numbers, and optional values for what people may not
/// know.
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
