/// The errors of conditions: Realm's texts, and what to do instead.
enum PredicateErrors {
    // MARK: Key paths

    private static func keyPath(_ path: String, _ problem: String, remedy: String) -> QueryError {
        QueryError("Invalid keypath '\(path)': \(problem)", remedy: remedy)
    }

    static func unknownProperty(_ name: String, _ path: String, _ schema: ClassSchema) -> QueryError
    {
        let names = (schema.properties + schema.computed).map(\.name)
        let nearest =
            NearestName.suggestion(for: name, among: names).map { "Did you mean '\($0)'? " } ?? ""
        return keyPath(
            path, "Property '\(name)' not found in object of type '\(schema.className)'",
            remedy: nearest
                + """
                Only persisted properties can be queried: mark it with @Persisted, or \
                filter a Swift array. The class has: \(names.joined(separator: ", ")).
                """)
    }

    /// - Parameter className: The class that declares the property; nil after a step that is not
    ///   a property.
    static func notALink(_ path: String, _ name: String, of className: String?) -> QueryError {
        let property = (className.map { $0 + "." } ?? "") + name
        return keyPath(
            path,
            """
            Property '\(property)' is not a link or collection and can only appear at the \
            end of a keypath.
            """, remedy: "Leave out what follows '\(name)'.")
    }

    static func missingClass(_ className: String, _ path: String) -> QueryError {
        keyPath(
            path, "Object type '\(className)' is not managed by the Realm.",
            remedy: "Add '\(className)' to the objectTypes of the realm's configuration.")
    }

    static func longKeyPath(_ path: String) -> QueryError {
        keyPath("\(path.prefix(80))…", KeyPathLimit.reason, remedy: KeyPathLimit.remedy)
    }

    static func noBacklink(_ path: String, _ property: String, _ className: String) -> QueryError {
        keyPath(
            path, "Property '\(property)' does not link to objects of type '\(className)'",
            remedy: "@links needs a property of that class, or of collections of it.")
    }

    static func noSubscript(_ path: String, _ name: String) -> QueryError {
        keyPath(
            path, "Property '\(name)' has no values by keys or indexes.",
            remedy: """
                Subscripts are for maps (by key) and for properties of type AnyRealmValue \
                (by key, by index, and [#any]).
                """)
    }

    static func notACollection(_ path: String, _ operation: String) -> QueryError {
        keyPath(
            path, "collection operation '\(operation)' must be applied to a collection",
            remedy: "Put it behind a list, set or map, or a LinkingObjects property.")
    }

    static func twoOperators(_ path: String) -> QueryError {
        keyPath(
            path, "at most one collection operation per keypath is supported.",
            remedy: "Use a subquery for the inner one.")
    }

    static func countInTheMiddle(_ path: String) -> QueryError {
        keyPath(
            path, "@count must appear at the end of a keypath.",
            remedy: "Leave out what follows it.")
    }

    static func keysWithoutMap(_ path: String) -> QueryError {
        keyPath(path, "@allKeys must follow a dictionary property.", remedy: "Only maps have keys.")
    }

    static func valuesWithoutMap(_ path: String) -> QueryError {
        keyPath(
            path, "@allValues must follow a dictionary property.",
            remedy: "The elements of other collections need no operator: ANY list == 5.")
    }

    static func elementsInMember(_ name: String, of className: String) -> QueryError {
        QueryError(
            """
            Unsupported property '\(className).\(name)' for memberwise equality query: \
            equality on collections is not implemented.
            """,
            remedy: """
                No condition says that two collections have the same elements: compare the \
                other properties one by one.
                """)
    }

    static func notNumbers(_ path: String, _ operation: PredicateOperator) -> QueryError {
        keyPath(
            path, "@\(operation.rawValue) can only be applied to a collection of numeric values.",
            remedy: "Elements of other types can be counted (@count) and compared (ANY).")
    }

    private static func numberRemedy(_ operation: PredicateOperator) -> String {
        """
        Name a property of the elements, over to-one links at most: \
        list.@\(operation.rawValue).age.
        """
    }

    static func aggregateOfObjects(_ path: String, _ operation: PredicateOperator) -> QueryError {
        keyPath(
            path,
            """
            @\(operation.rawValue) on a collection of objects cannot appear at the end of \
            a keypath.
            """, remedy: numberRemedy(operation))
    }

    static func aggregateOfValues(_ path: String, _ operation: PredicateOperator) -> QueryError {
        keyPath(
            path,
            "@\(operation.rawValue) on a collection of values must appear at the end of a keypath.",
            remedy: "Leave out what follows it.")
    }

    static func notFollowedByNumber(_ path: String, _ operation: PredicateOperator) -> QueryError {
        keyPath(
            path, "@\(operation.rawValue) must be followed by a numeric property.",
            remedy: numberRemedy(operation))
    }

    static func sumOfDates(_ path: String) -> QueryError {
        QueryError(
            "Cannot sum or average date properties", remedy: "'\(path)': dates have @min and @max.")
    }

    static func unknownVariable(_ path: String) -> QueryError {
        keyPath(
            path, "A variable can only appear at the start of a keypath.",
            remedy: "Variables stand for the elements of a SUBQUERY, inside of its condition.")
    }

    // MARK: Collections and quantifiers

    static let collectionWithoutQuantifier = QueryError(
        "Key paths that include a collection property must use aggregate operations",
        remedy: """
            Say of which elements it must hold: ANY, ALL or NONE; or use @count, @min, \
            @max, @sum or @avg.
            """)

    static let quantifierWithoutCollection = QueryError(
        "Aggregate operations can only be used on key paths that include an collection property",
        remedy:
            "ANY, ALL and NONE need a list, set or map, or a LinkingObjects property, on the way.")

    static let twoCollections = QueryError(
        "Comparing two collection columns is not permitted.",
        remedy: "Compare one of them with a value, or loop over the objects.")

    static func collectionWithColumn(_ name: String) -> QueryError {
        QueryError(
            "Key paths that include a collection property can only be compared with constants",
            remedy: """
                '\(name)' has many values for one object. ANY, ALL and NONE compare them \
                with a property by ==, !=, <, <=, > and >=; otherwise loop over the \
                objects.
                """)
    }

    // MARK: Operators

    static func unsupported(_ operation: PredicateComparison.Operation, _ type: PredicateValueType)
        -> QueryError
    {
        let remedy =
            type.type == .object
            ? "Objects can be compared with == and !=, and IN."
            : "'\(type.name)': filter a Swift array, or compare it in another way."
        return QueryError(
            "Operator '\(operation.text)' not supported for type '\(type.type)'", remedy: remedy)
    }

    static func withDiacritics(_ operation: PredicateComparison.Operation) -> QueryError {
        QueryError(
            "Operator '\(operation.text)' not supported with diacritic-insensitive modifier.",
            remedy:
                "Use CONTAINS, BEGINSWITH or ENDSWITH with [d], or \(operation.text) without it.")
    }

    static let fullTextWithOptions = QueryError(
        "Operator 'TEXT' not supported with case or diacritic modifiers.",
        remedy: "Leave out [c] and [d]: words are found whatever their case and diacritics.")

    static func notALocation(_ type: PredicateValueType, _ shape: GeoShape) -> QueryError {
        guard type.type == .object, let target = type.target else {
            return QueryError(
                """
                The left hand side of 'geoWithin' must be a link to geoJSON formatted \
                data. But the provided type is '\(type.type)'
                """, remedy: locationRemedy)
        }
        guard target.schema.isEmbedded else {
            return QueryError(
                """
                A GEOWITHIN query can only operate on a link to an embedded class but \
                '\(target.schema.className)' is at the top level
                """, remedy: locationRemedy)
        }
        return QueryError(
            """
            Query '\(type.name) GEOWITHIN \(shape.queryText)' links to data in the wrong \
            format for a geoWithin query
            """, remedy: locationRemedy)
    }

    private static let locationRemedy = """
        Locations are embedded objects with 'type: String', which is "Point", and \
        'coordinates: List<Double>', a longitude and a latitude.
        """

    static let orderWithOptions = QueryError(
        "Lexicographical comparisons must be case-sensitive",
        remedy: "Leave out [c] and [d]: text has the order of its UTF-8 bytes.")

    static let noKeyPath = QueryError(
        "Predicate expressions must compare a keypath and another keypath or a constant value",
        remedy: "At least one side has to be a property.")

    static let betweenWithoutKeyPath = QueryError(
        "Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values",
        remedy: "The property stands on the left: age BETWEEN {18, 30}.")

    static let betweenWithoutList = betweenWithoutKeyPath

    static let betweenWithoutTwo = QueryError(
        "NSArray object must contain exactly two objects for BETWEEN operations",
        remedy: "Both bounds are included: age BETWEEN {18, 30}.")

    static let inWithoutKeyPath = QueryError(
        "Predicate with IN operator must compare a KeyPath with an aggregate",
        remedy: """
            A property stands on the left and a list on the right, or a value on the left \
            and a collection on the right.
            """)

    static let inWithoutList = QueryError(
        "IN clause requires an array of items", remedy: "Give it a list: age IN {1, 2, 3}.")

    static func unexpectedList(_ operation: PredicateComparison.Operation) -> QueryError {
        QueryError(
            "Predicate expressions must compare a keypath and another keypath or a constant value",
            remedy: """
                '\(operation.text)' takes one value on its right, not a list. IN and \
                BETWEEN take lists.
                """)
    }

    // MARK: Values

    static func mismatch(_ a: PredicateValueType, _ b: PredicateValueType) -> QueryError {
        if let (aggregate, type) = a.aggregate, b.operation == nil {
            return QueryError(
                """
                \(aggregate) on a property of type \(type) cannot be compared with \
                property of type '\(b.type)'
                """, remedy: "'\(b.name)' has no values in common with it.")
        }
        if b.aggregate != nil, a.operation == nil { return mismatch(b, a) }
        return QueryError(
            "Property type mismatch between \(a.text) and \(b.text)",
            remedy: "'\(a.name)' and '\(b.name)' have no values in common.")
    }

    static func unclaimed(_ name: String, _ claim: PropertyType, _ found: PredicatePath)
        -> QueryError
    {
        QueryError(
            """
            Cannot compare value of type '\(claim)' to property '\(name)' of type \
            '\(found.isSingle ? found.type.type.description : "array")'
            """, remedy: "Name the property's own type: $0[\"\(name)\", as: ….self].")
    }

    static func incomparable(_ constant: PredicateConstant, _ type: PredicateValueType)
        -> QueryError
    {
        if let (aggregate, operand) = type.aggregate {
            return QueryError(
                """
                \(aggregate) on a property of type \(operand) cannot be compared with \
                '\(constant.text)'
                """, remedy: "It was compared with a value of type '\(constant.typeText)'.")
        }
        return switch type.operation {
        case .allKeys?:
            QueryError(
                "@allKeys can only be compared with a string value.",
                remedy: "It was compared with a value of type '\(constant.typeText)'.")
        case let operation?:
            QueryError(
                "@\(operation.rawValue) can only be compared with a numeric value.",
                remedy: "It was compared with a value of type '\(constant.typeText)'.")
        case nil:
            QueryError(
                """
                Cannot compare value '\(constant.text)' of type '\(constant.typeText)' to \
                property '\(type.name)' of type '\(type.type)'
                """,
                remedy: "Compare '\(type.name)' with a value of the property's own type"
                    + (type.target.map { ", an object of class '\($0.schema.className)'." } ?? "."))
        }
    }

    static func foreignObject(_ object: PredicateObject, _ type: PredicateValueType) -> QueryError {
        QueryError(
            "Object must be from the Realm being queried",
            remedy: "'\(type.name)' was compared with an object that belongs to another realm: "
                + "find its counterpart in this one, by its primary key.")
    }

    static func invalidPattern(_ pattern: String, _ error: RegularExpressionError) -> QueryError {
        QueryError(
            "Can't open pattern '\(pattern.prefix(200))\(pattern.count > 200 ? "…" : "")'",
            remedy: "At character \(error.position) \(error.reason). \(error.remedy)")
    }
}
