public import Freehold

/// What an import does with what does not fit the realm, and with objects that are there already.
///
/// Thread rule: a plain value; use it anywhere.
public struct ImportOptions: Sendable {
    /// What happens where the realm has an object with the same primary key.
    ///
    /// With `.error` the import fails; with `.modified` and `.all` the object is changed:
    /// properties that the export does not name keep what they have. Objects of classes without
    /// a primary key are always added: importing the same file twice adds them twice.
    public var existingObjects: Realm.UpdatePolicy

    /// Whether classes that the realm does not have are passed by, and listed in the summary,
    /// instead of failing the import.
    public var ignoresUnknownClasses: Bool

    /// Whether properties that the class does not have are passed by, and listed in the
    /// summary, instead of failing the import.
    public var ignoresUnknownProperties: Bool

    /// Nothing is passed by, and no object of the realm is changed, unless said otherwise.
    public init(
        existingObjects: Realm.UpdatePolicy = .error, ignoresUnknownClasses: Bool = false,
        ignoresUnknownProperties: Bool = false
    ) {
        self.existingObjects = existingObjects
        self.ignoresUnknownClasses = ignoresUnknownClasses
        self.ignoresUnknownProperties = ignoresUnknownProperties
    }
}

/// How far an import is.
///
/// Thread rule: a plain value; use it anywhere.
public struct ImportProgress: Sendable, Hashable {
    /// How many objects have been created or found, with everything but their links.
    public let storedObjects: Int
    /// How many have got their links, embedded objects and mixed values, too.
    public let linkedObjects: Int
    /// How many objects the export has, as far as that is known: objects that stand in no
    /// class's list are found when they are linked.
    public let totalObjects: Int

    /// From 0 to 1.
    public var fractionCompleted: Double {
        totalObjects == 0 ? 1 : Double(storedObjects + linkedObjects) / Double(2 * totalObjects)
    }
}

/// What an import did.
///
/// Thread rule: a plain value; use it anywhere.
public struct ImportSummary: Sendable, Hashable {
    /// How many objects were created, by class.
    public internal(set) var created: [String: Int] = [:]
    /// How many objects of the realm had the primary key of one of the export's, by class.
    public internal(set) var updated: [String: Int] = [:]
    /// Of the created and updated ones, how many the export has only inside of other objects,
    /// by class. Realm Studio lists every object; in what it writes, these are objects that
    /// could not be told from a copy.
    public internal(set) var unlisted: [String: Int] = [:]
    /// The classes that were passed by, in order.
    public internal(set) var ignoredClasses: [String] = []
    /// The properties that were passed by, as "Class.property", in order.
    public internal(set) var ignoredProperties: [String] = []

    /// How many objects were created or updated, without embedded objects.
    public var objectCount: Int { created.values.reduce(0, +) + updated.values.reduce(0, +) }
}
