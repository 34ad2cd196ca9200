import FreeholdStorage

/// The model classes of one configuration: all discovered ones, or `objectTypes`. There is one
/// instance for each choice; compared by identity.
final class SchemaSet: Sendable {
    let classes: [ClassSchema]
    /// The first class of each table. Others with the same table declare the same columns
    /// (``SharedTables``).
    let classOfEachTable: [ClassSchema]

    /// Creates a set without validation: the classes are known to be valid, or come from a file
    /// or a migration.
    init(unchecked classes: [ClassSchema]) {
        self.classes = classes
        var seen: Set<String> = []
        classOfEachTable = classes.filter { seen.insert($0.tableName).inserted }
    }

    /// The class with this name in the program, otherwise the one with this name in the file;
    /// nil if there is none. O(classes).
    func declared(_ name: String) -> ClassSchema? {
        classes.first { $0.className == name } ?? classes.first { $0.tableName == name }
    }

    /// Keyed by the classes; nil for the discovered ones.
    private static let known = Locked<[Set<ObjectIdentifier>?: SchemaSet]>(processWide: [:])

    /// The set for a configuration's `objectTypes`. O(types) once it is cached.
    ///
    /// - Throws: ``Realm/Error`` with the code `invalidInput` if a class is declared in a way
    ///   that cannot be stored, `unsupportedRuntime` if this library does not know the runtime.
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
            // Another thread may have been first; all use its result.
            if let first = sets[key] { return first }
            sets[key] = set
            return set
        }
    }
}
