public import Freehold

/// Decides what an import does with data that do not fit the realm, and with objects that the
/// realm has already.
///
/// Thread rule: a plain value; use it anywhere.
public struct ImportOptions: Sendable {
    /// What happens if the realm has an object with the same primary key.
    ///
    /// With `.error`, the import fails. With `.modified` and `.all`, the object is changed;
    /// properties that the export does not name keep their values. Objects of classes without a
    /// primary key are always added: importing the same file twice adds them twice.
    public var existingObjects: Realm.UpdatePolicy

    /// Whether classes that the realm lacks are skipped and listed in the summary, instead of
    /// failing the import.
    public var ignoresUnknownClasses: Bool

    /// Whether properties that the class lacks are skipped and listed in the summary, instead of
    /// failing the import.
    public var ignoresUnknownProperties: Bool

    /// Makes options. By default, nothing is skipped, and no object of the realm is changed.
    ///
    /// - Parameters:
    ///   - existingObjects: How to import an object whose primary key the realm has already.
    ///   - ignoresUnknownClasses: Whether to skip classes that the realm lacks.
    ///   - ignoresUnknownProperties: Whether to skip properties that a class lacks.
    public init(
        existingObjects: Realm.UpdatePolicy = .error, ignoresUnknownClasses: Bool = false,
        ignoresUnknownProperties: Bool = false
    ) {
        self.existingObjects = existingObjects
        self.ignoresUnknownClasses = ignoresUnknownClasses
        self.ignoresUnknownProperties = ignoresUnknownProperties
    }
}

/// The progress of an import.
///
/// Thread rule: a plain value; use it anywhere.
public struct ImportProgress: Sendable, Hashable {
    /// How many objects have been created or found, with all their values except links.
    public let storedObjects: Int
    /// How many objects have their links, embedded objects and mixed values, too.
    public let linkedObjects: Int
    /// The number of objects of the export, as far as it is known. Objects outside of their
    /// class's list are found only when they are linked.
    public let totalObjects: Int

    /// The completed part, from 0 to 1.
    public var fractionCompleted: Double {
        totalObjects == 0 ? 1 : Double(storedObjects + linkedObjects) / Double(2 * totalObjects)
    }
}

/// The result of an import.
///
/// Thread rule: a plain value; use it anywhere.
public struct ImportSummary: Sendable, Hashable {
    /// How many objects were created, by class.
    public internal(set) var created: [String: Int] = [:]
    /// How many objects of the realm had the primary key of an exported object, by class.
    public internal(set) var updated: [String: Int] = [:]
    /// How many of the created and updated objects the export has only inside of other objects,
    /// by class. Realm Studio lists every object; in its exports, these are objects that could
    /// not be distinguished from a copy.
    public internal(set) var unlisted: [String: Int] = [:]
    /// The skipped classes, in order.
    public internal(set) var ignoredClasses: [String] = []
    /// The skipped properties, as "Class.property", in order.
    public internal(set) var ignoredProperties: [String] = []

    /// How many objects were created or updated, without embedded objects.
    public var objectCount: Int { created.values.reduce(0, +) + updated.values.reduce(0, +) }
}
