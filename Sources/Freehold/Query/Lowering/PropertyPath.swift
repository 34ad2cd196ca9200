import FreeholdStorage

/// A property found by its path from a class, over to-one links.
struct PropertyPath {
    /// The place of the property's values.
    var scan: ScanPath
    /// The class that has the property.
    var schema: ClassSchema
    /// The property's position in that class.
    var ordinal: Int

    var property: PropertyDescriptor { schema.properties[ordinal] }

    /// The property for messages: "Dog.age".
    var name: String { "\(schema.className).\(property.name)" }
}

/// The reason why a path cannot be followed. Each front end has its own text for it.
enum PropertyPathError: Error {
    case empty
    case unknownProperty(name: String, className: String)
    /// A property in the middle of the path is not a link.
    case notALink(name: String, className: String)
}

extension PropertyPath {
    /// Follows names of properties from a class. O(names).
    init(_ names: [String], from binding: ClassBinding) throws(PropertyPathError) {
        guard let last = names.last else { throw .empty }
        if names.count == 1 {
            try self.init(last, of: binding, links: [])
            return
        }
        var current = binding
        var links: [ColumnID] = []
        for name in names.dropLast() {
            let link = try PropertyPath(name, of: current, links: [])
            guard let target = link.property.targetClassName,
                let next = binding.core.binding(named: target)
            else { throw .notALink(name: name, className: current.schema.className) }
            links.append(link.scan.column)
            current = next
        }
        try self.init(last, of: current, links: links)
    }

    private init(_ name: String, of binding: ClassBinding, links: [ColumnID])
        throws(PropertyPathError)
    {
        let schema = binding.schema
        guard let ordinal = schema.ordinal(named: name) else {
            throw .unknownProperty(name: name, className: schema.className)
        }
        self.init(
            scan: ScanPath(links: links, column: binding.columns[ordinal]), schema: schema,
            ordinal: ordinal)
    }
}
