import FreeholdStorage

/// A property found by its path from a class, over to-one links.
struct PropertyPath {
    /// Where the property's values are.
    var scan: ScanPath
    /// The property that the path ends at.
    var property: PropertyDescriptor
    /// The name of the class that has it.
    var className: String
}

/// Why a path leads nowhere. Each front end has its own text for it.
enum PropertyPathError: Error {
    case empty
    case unknownProperty(name: String, className: String)
    /// A property in the middle of the path is not a link.
    case notALink(name: String, className: String)
}

extension PropertyPath {
    /// Follows names of properties from a class. O(names).
    init(_ names: some Collection<String>, from binding: ClassBinding) throws(PropertyPathError) {
        var current = binding
        var links: [ColumnID] = []
        var rest = names[...]
        while let name = rest.popFirst() {
            guard let property = current.schema.property(named: name) else {
                throw .unknownProperty(name: name, className: current.schema.className)
            }
            let column = current.columns[property.ordinal]
            if rest.isEmpty {
                self.init(
                    scan: ScanPath(links: links, column: column), property: property, className: current.schema.className
                )
                return
            }
            guard property.columnType == .link, let target = property.targetClassName,
                let next = current.core.binding(named: target) else {
                throw .notALink(name: name, className: current.schema.className)
            }
            links.append(column)
            current = next
        }
        throw .empty
    }
}
