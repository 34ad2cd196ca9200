/// Numbers the values of a document by their content. Two values have the same number if their
/// content is the same, to any depth, whatever the order of their members.
///
/// Values in cycles are the same if no path of names and positions distinguishes them: the
/// coarsest partition, found by refinement. O(values) for documents without references. Otherwise
/// O(values) a round, until a round finds no further difference.
struct ContentNumbers {
    private var numbers: [Int32]

    subscript(id: JSONDocument.ID) -> Int32 { numbers[id] }

    private struct Signature: Hashable {
        let isObject: Bool
        /// The number in the round before, for a value that others are refined from.
        let earlier: Int32
        /// Names and numbers of the members, alternating.
        let parts: [Int32]
    }

    private enum Scalar: Hashable {
        case null, bool(Bool), integer(Int), number(Double), string(ExactText)
    }

    /// - Parameter excluded: Values that need no number, such as the lists of classes.
    init(_ export: StudioExport) {
        let document = export.document
        numbers = Array(repeating: -1, count: document.values.count)
        var scalars: [Scalar: Int32] = [:]
        let excluded = Set(export.classes.map(\.list) + [document.root])
        var containers: [JSONDocument.ID] = []
        for id in document.values.indices {
            let scalar: Scalar
            switch document[id] {
            case .null: scalar = .null
            case .bool(let value): scalar = .bool(value)
            case .integer(let value): scalar = .integer(value)
            case .number(let value): scalar = .number(value)
            case .string(let value): scalar = .string(ExactText(value))
            case .array, .object:
                if !excluded.contains(id) { containers.append(id) }
                continue
            }
            let next = Int32(scalars.count)
            numbers[id] = scalars[scalar, default: next]
            if numbers[id] == next { scalars[scalar] = next }
        }
        let firstContainer = Int32(scalars.count)
        if export.shape == .nested {
            // A container comes before its members, so the reverse order visits members first.
            var known: [Signature: Int32] = [:]
            for id in containers.reversed() {
                numbers[id] = ContentNumbers.number(
                    of: signature(of: id, in: document, earlier: 0), in: &known,
                    from: firstContainer)
            }
        } else {
            refine(containers, in: document, from: firstContainer)
        }
    }

    private mutating func refine(
        _ containers: [JSONDocument.ID], in document: JSONDocument, from first: Int32
    ) {
        for id in containers { numbers[id] = first }
        var count = 1
        while true {
            var known: [Signature: Int32] = [:]
            let refined = containers.map { id in
                ContentNumbers.number(
                    of: signature(of: id, in: document, earlier: numbers[id]), in: &known,
                    from: first)
            }
            for (id, number) in zip(containers, refined) { numbers[id] = number }
            if known.count == count { return }
            count = known.count
        }
    }

    private static func number(
        of signature: Signature, in known: inout [Signature: Int32], from first: Int32
    ) -> Int32 {
        if let number = known[signature] { return number }
        let number = first + Int32(known.count)
        known[signature] = number
        return number
    }

    private func signature(of id: JSONDocument.ID, in document: JSONDocument, earlier: Int32)
        -> Signature
    {
        switch document[id] {
        case .array(let range):
            return Signature(
                isObject: false, earlier: earlier,
                parts: range.map { numbers[Int(document.members[$0].value)] })
        case .object(let range):
            let members = range.map { document.members[$0] }.filter {
                document.name(of: $0) != "$refId"
            }.sorted { $0.name < $1.name }
            return Signature(
                isObject: true, earlier: earlier,
                parts: members.flatMap { [$0.name, numbers[Int($0.value)]] })
        default:
            return Signature(isObject: false, earlier: earlier, parts: [])
        }
    }
}
