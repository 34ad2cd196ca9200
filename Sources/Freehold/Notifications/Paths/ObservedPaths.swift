import FreeholdStorage

/// The parts of an object whose changes count: some of its properties, and parts of objects
/// behind some of its links.
///
/// A tree of nodes, one for each class and path to it. Nodes of one class at one depth that
/// count everything are the same node, so the tree stays small even for classes with cyclic
/// links.
struct ObservedPaths: Sendable {
    /// In the order in which links lead from one to the next. The first is that of the observed
    /// class.
    fileprivate(set) var nodes: [Node] = []

    struct Node: Sendable {
        let table: TableID
        /// Nil for all columns.
        var columns: Set<ColumnID>?
        var edges: [Edge] = []
    }

    struct Edge: Hashable, Sendable {
        let step: Step
        /// The node that the edge leads to.
        let target: Int
    }

    enum Step: Hashable, Sendable {
        /// A link, or a collection of links, in the node's rows.
        case links(ColumnID)
        /// Links from rows of the target's table to the node's rows.
        case backlinks(ColumnID)
    }

    /// The number of links to follow if no key paths are given.
    static let depth = 4

    /// No properties: only the object's existence.
    static func nothing(_ table: TableID) -> ObservedPaths {
        ObservedPaths(nodes: [Node(table: table, columns: [])])
    }

    /// All properties of the class itself, without following links.
    static func properties(_ table: TableID) -> ObservedPaths {
        ObservedPaths(nodes: [Node(table: table, columns: nil)])
    }

    /// Whether links are followed.
    var followsLinks: Bool { !nodes[0].edges.isEmpty }

    /// All tables that the paths depend on.
    var tables: Set<TableID> { Set(nodes.map(\.table)) }
}

// MARK: - Everything

extension ObservedPaths {
    /// All properties of a class and of the objects that it links to, four links deep.
    static func everything(_ bound: BoundClass, in schema: BoundSchema) -> ObservedPaths {
        var paths = ObservedPaths()
        var known: [NodeName: Int] = [:]
        _ = paths.addEverything(bound, schema, depth: 0, &known)
        return paths
    }

    private struct NodeName: Hashable {
        let table: TableID
        let depth: Int
    }

    private mutating func addEverything(
        _ bound: BoundClass, _ schema: BoundSchema, depth: Int, _ known: inout [NodeName: Int]
    ) -> Int {
        let name = NodeName(table: bound.table, depth: depth)
        if let index = known[name] { return index }
        let index = nodes.count
        known[name] = index
        nodes.append(Node(table: bound.table, columns: nil))
        if depth == Self.depth { return index }
        for property in bound.schema.properties {
            for target in property.linkTargets(in: schema) {
                let edge = Edge(
                    step: .links(bound.columns[property.ordinal]),
                    target: addEverything(target, schema, depth: depth + 1, &known))
                // `AnyRealmValue`s link to each class of a table; those classes share one node.
                if property.objectType != nil || !nodes[index].edges.contains(edge) {
                    nodes[index].edges.append(edge)
                }
            }
        }
        return index
    }
}

extension PropertyDescriptor {
    /// The classes that the property can link to: one; all for ``AnyRealmValue``s; or none.
    fileprivate func linkTargets(in schema: BoundSchema) -> [BoundClass] {
        if let objectType { return schema[objectType].map { [$0] } ?? [] }
        return type == .any ? schema.classes.filter { !$0.schema.isEmbedded } : []
    }
}

// MARK: - Key paths

/// The reason why key paths cannot be observed.
enum InvalidKeyPath: Error {
    case unknownProperty(String, className: String)
    /// A key path has too many steps.
    case tooLong
    /// Together the key paths lead to too many places.
    case tooMany
}

extension ObservedPaths {
    /// The paths for key paths: the properties that they lead to, and the links on the way. `*`
    /// stands for every property of a class.
    init(_ keyPaths: [String], of bound: BoundClass, in schema: BoundSchema) throws(InvalidKeyPath)
    {
        nodes = [Node(table: bound.table, columns: [])]
        for keyPath in keyPaths {
            let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(
                String.init)
            if KeyPathLimit.isExceeded(by: names) { throw .tooLong }
            try add(names[...], to: 0, bound, schema)
        }
    }

    /// The largest number of places that key paths may lead to.
    static let maximumNodes = 10_000

    private mutating func add(
        _ names: ArraySlice<String>, to node: Int, _ bound: BoundClass, _ schema: BoundSchema
    ) throws(InvalidKeyPath) {
        guard let name = names.first else { return }
        let rest = names.dropFirst()
        let all = bound.schema.properties + bound.schema.computed
        let named = name == "*" ? all : all.filter { $0.name == name }
        if named.isEmpty { throw .unknownProperty(name, className: bound.schema.className) }
        for property in named {
            if property.isComputed {
                try addBacklinks(property, rest, to: node, bound, schema)
            } else {
                let column = bound.columns[property.ordinal]
                nodes[node].columns?.insert(column)
                if rest.isEmpty { continue }
                let targets = property.linkTargets(in: schema)
                if targets.isEmpty, name != "*" {
                    throw .unknownProperty(rest.joined(separator: "."), className: property.name)
                }
                for target in targets
                where target.schema.mayHave(
                    rest.first, isCertain: targets.count == 1 && name != "*")
                {
                    try add(
                        rest, to: try child(of: node, .links(column), target.table), target, schema)
                }
            }
        }
    }

    private mutating func addBacklinks(
        _ property: PropertyDescriptor, _ rest: ArraySlice<String>, to node: Int,
        _ bound: BoundClass, _ schema: BoundSchema
    ) throws(InvalidKeyPath) {
        guard let links = bound.backlinks[property.ordinal - bound.schema.properties.count],
            let origin = schema[links.origin]
        else { return }
        let next = try child(of: node, .backlinks(links.column), origin.table)
        try add(rest, to: next, origin, schema)
    }

    /// The node that a step leads to, created if necessary.
    private mutating func child(of node: Int, _ step: Step, _ table: TableID) throws(InvalidKeyPath)
        -> Int
    {
        if let known = nodes[node].edges.first(where: {
            $0.step == step && nodes[$0.target].table == table
        }) {
            return known.target
        }
        // Each `*` may lead to as many places as the class has links.
        if nodes.count >= Self.maximumNodes { throw .tooMany }
        nodes.append(Node(table: table, columns: []))
        nodes[node].edges.append(Edge(step: step, target: nodes.count - 1))
        return nodes.count - 1
    }
}

extension ClassSchema {
    /// Whether a path may continue with a name in this class. If the class is certain, an
    /// unknown name is an error; otherwise it is skipped.
    fileprivate func mayHave(_ name: String?, isCertain: Bool) -> Bool {
        guard let name, !isCertain, name != "*" else { return true }
        return properties.contains { $0.name == name } || computed.contains { $0.name == name }
    }
}
