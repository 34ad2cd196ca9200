import FreeholdStorage

/// The model classes of one configuration: all that were discovered, or `objectTypes`. Made
/// once for each choice; compared by identity.
final class SchemaSet: Sendable {
    let classes: [ClassSchema]
    /// The first class of each table. Others that share one declare the same columns
    /// (``SharedTables``).
    let classOfEachTable: [ClassSchema]

    /// Classes that are known to be valid, or that no program declares as they are: those of a
    /// file, or of a migration.
    init(unchecked classes: [ClassSchema]) {
        self.classes = classes
        var seen: Set<String> = []
        classOfEachTable = classes.filter { seen.insert($0.tableName).inserted }
    }

    /// The class with a name of its own, or else in the file; nil if there is none. O(classes).
    func declared(_ name: String) -> ClassSchema? {
        classes.first { $0.className == name } ?? classes.first { $0.tableName == name }
    }

    /// Keyed by the classes, nil for those that were discovered.
    private static let known = Locked<[Set<ObjectIdentifier>?: SchemaSet]>(processWide: [:])

    /// The set for a configuration's `objectTypes`. O(types) once it is known.
    ///
    /// - Throws: ``Realm/Error`` with the code `invalidInput` if a class is declared in a way
    ///   that cannot be stored, `unsupportedRuntime` if the runtime is not one that this
    ///   library knows.
    static func resolve(_ types: [ObjectBase.Type]?) throws(Realm.Error) -> SchemaSet {
        try RuntimeCheck.verify()
        let key = types.map { Set($0.map { ObjectIdentifier($0) }) }
        if let set = known.withLock({ $0[key] }) { return set }
        if types == nil { try ClassDiscovery.verify() }
        let set: SchemaSet
        do throws(SchemaValidationError) {
            set = SchemaSet(unchecked: try ClassSchema.schemas(for: types))
        } catch {
            throw Realm.Error(.invalidInput, "\(error)", underlying: error)
        }
        return known.withLock { sets in
            // Another thread may have been first; all use one.
            if let first = sets[key] { return first }
            sets[key] = set
            return set
        }
    }
}
