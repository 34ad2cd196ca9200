import Foundation

/// A JSON export with resolved references: each reference leads to its object. So the document is
/// a graph, which may have cycles.
struct StudioExport: Sendable {
    /// How objects refer to each other.
    enum Shape: Sendable {
        /// Linked objects are written in full wherever a link leads to them.
        case nested
        /// Objects have a `$refId`. Inside of itself, an object is written as `{"$ref": …}`.
        case referenced
        /// The format of the `flatted` package: one array of all objects, arrays and texts, which
        /// refer to each other by their positions.
        case flatted
    }

    private(set) var document: JSONDocument
    let shape: Shape
    /// The classes, in order, with the values of their objects.
    private(set) var classes: [(name: String, list: JSONDocument.ID, objects: [JSONDocument.ID])] =
        []
    let file: String?

    init(_ data: Data, file: String?) throws {
        self.file = file
        do throws(JSONSyntaxError) {
            document = try JSONParser.parse(data)
        } catch {
            throw ImportError(
                .malformedJSON, ImportPlace(file: file, line: error.line), expected: error.expected,
                found: error.found)
        }
        if case .array(let elements) = document[document.root] {
            shape = .flatted
            try resolvePositions(elements)
        } else {
            shape =
                document.names.contains("$refId") || document.names.contains("$ref")
                ? .referenced : .nested
        }
        classes = try listedClasses()
        if shape == .referenced {
            try resolveReferences()
            classes = try listedClasses()
        }
    }

    static let expectedRoot = """
        an object with an array of objects for each class, as Realm Studio's 'Save data > \
        JSON' writes it
        """

    private func refusal(
        _ id: JSONDocument.ID, expected: String = StudioExport.expectedRoot,
        className: String? = nil, row: Int? = nil
    ) -> ImportError {
        ImportError(
            .notAnExport,
            ImportPlace(file: file, className: className, row: row, line: document.line(of: id)),
            expected: expected, found: document.shown(id))
    }

    private func listedClasses() throws -> [(
        name: String, list: JSONDocument.ID, objects: [JSONDocument.ID]
    )] {
        guard case .object(let classes) = document[document.root] else {
            throw refusal(document.root)
        }
        return try classes.map { position in
            let member = document.members[position]
            let name = document.name(of: member)
            let list = Int(member.value)
            guard case .array(let range) = document[list] else {
                throw refusal(
                    list, expected: "an array of the objects of the class", className: name)
            }
            let objects = try range.enumerated().map { row, position in
                let object = Int(document.members[position].value)
                guard case .object = document[object] else {
                    throw refusal(object, expected: "an object", className: name, row: row + 1)
                }
                return object
            }
            return (name, list, objects)
        }
    }

    // MARK: flatted

    /// Replaces texts by the elements they refer to: every text inside of an element is the
    /// position of another element. An element that is a text is that text.
    private mutating func resolvePositions(_ elements: Range<Int>) throws {
        let positions = elements.map { document.members[$0].value }
        guard let first = positions.first, case .object = document[Int(first)] else {
            throw refusal(document.root)
        }
        for index in document.members.indices where !elements.contains(index) {
            let id = Int(document.members[index].value)
            guard case .string(let text) = document[id] else { continue }
            guard let position = Int(text), positions.indices.contains(position) else {
                throw refusal(
                    id,
                    expected: """
                        the position of one of the \(positions.count) elements of the \
                        array, as the package 'flatted' writes it
                        """)
            }
            document.members[index].value = positions[position]
        }
        document.root = Int(first)
    }

    // MARK: $refId

    private mutating func resolveReferences() throws {
        var definitions: [ExactText: JSONDocument.ID] = [:]
        func define(_ id: JSONDocument.ID) {
            guard case .object(let range) = document[id],
                let member = document.member(of: range, named: "$refId"),
                case .string(let name) = document[member],
                definitions[ExactText(name)] == nil
            else { return }
            definitions[ExactText(name)] = id
        }
        // Objects in the list of their class come first.
        for listed in classes { listed.objects.forEach(define) }
        document.values.indices.forEach(define)
        for index in document.members.indices {
            let id = Int(document.members[index].value)
            guard case .object(let range) = document[id] else { continue }
            if case .string(let name) = document.onlyMember(of: range, named: "$ref") {
                guard let definition = definitions[ExactText(name)] else {
                    throw refusal(
                        id,
                        expected: """
                            a reference to an object of the file whose '$refId' is \
                            '\(shortened(name))'
                            """)
                }
                document.members[index].value = Int32(definition)
            } else if let member = document.member(of: range, named: "$refId"),
                case .string(let name) = document[member],
                let definition = definitions[ExactText(name)]
            {
                document.members[index].value = Int32(definition)
            }
        }
    }
}
