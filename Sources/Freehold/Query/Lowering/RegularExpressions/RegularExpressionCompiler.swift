/// Makes the program of a tree. Counted repetitions are expanded, so the size has a limit.
struct RegularExpressionCompiler {
    private var program = RegularExpressionProgram()
    /// The size of the steps and the sets.
    private var size = 0

    static func compile(_ node: RegularExpressionNode) throws(RegularExpressionError)
        -> RegularExpressionProgram
    {
        var compiler = RegularExpressionCompiler()
        try compiler.append(node)
        try compiler.append(.end)
        return compiler.program
    }

    private var next: Int32 { Int32(program.steps.count) }

    private mutating func append(
        _ operation: RegularExpressionProgram.Step.Operation, _ x: Int32 = 0, _ y: Int32 = 0,
        cost: Int = 1
    ) throws(RegularExpressionError) {
        size += cost
        if size > RegularExpressionLimits.maximumSize {
            throw RegularExpressionError(
                at: 0,
                """
                the expression has more than \(RegularExpressionLimits.maximumSize) steps \
                once its counts are written out
                """, remedy: "Use smaller counts, or + and * where the number does not matter.")
        }
        program.steps.append(RegularExpressionProgram.Step(operation: operation, x: x, y: y))
    }

    private mutating func append(_ node: RegularExpressionNode) throws(RegularExpressionError) {
        switch node {
        case .empty: return
        case .scalar(let value, let isFolded):
            try append(isFolded ? .folded : .scalar, Int32(value))
        case .set(let set):
            program.sets.append(set)
            try append(.set, Int32(program.sets.count - 1), cost: set.size)
        case .anyScalar(false): try append(.anyInLine)
        case .anyScalar(true): try appendAnyScalar()
        case .lineEnd:
            try append(
                .alternatives([
                    Self.lineBreak,
                    .sequence([.set(ScalarSet(.lineEnd)), .assertion(.noLineFeed)]),
                ]))
        case .assertion(let assertion):
            if assertion == .wordBoundary || assertion == .noWordBoundary {
                program.hasWordBoundaries = true
            }
            try append(.assertion, assertion.rawValue)
        case .sequence(let nodes): for node in nodes { try append(node) }
        case .alternatives(let nodes): try append(alternatives: nodes)
        case .repetition(let node, let minimum, let maximum): try append(node, minimum, maximum)
        }
    }

    private static let lineBreak: RegularExpressionNode = .sequence([
        .scalar(0x0D, isFolded: false), .scalar(0x0A, isFolded: false),
    ])

    /// Appends CR and LF together, or one scalar that is not a CR before a LF.
    private mutating func appendAnyScalar() throws(RegularExpressionError) {
        let start = program.steps.count
        try append(.split)
        try append(Self.lineBreak)
        let jump = program.steps.count
        try append(.jump)
        program.steps[start].x = Int32(start + 1)
        program.steps[start].y = next
        try append(.any)
        try append(.assertion, RegularExpressionAssertion.noLineFeed.rawValue)
        program.steps[jump].x = next
    }

    private mutating func append(alternatives nodes: [RegularExpressionNode])
        throws(RegularExpressionError)
    {
        var jumps: [Int] = []
        for (index, node) in nodes.enumerated() {
            if index == nodes.count - 1 {
                try append(node)
                continue
            }
            let split = program.steps.count
            try append(.split)
            program.steps[split].x = next
            try append(node)
            jumps.append(program.steps.count)
            try append(.jump)
            program.steps[split].y = next
        }
        for jump in jumps { program.steps[jump].x = next }
    }

    private mutating func append(_ node: RegularExpressionNode, _ minimum: Int, _ maximum: Int?)
        throws(RegularExpressionError)
    {
        for _ in 0..<minimum {
            let start = program.steps.count
            try append(node)
            // A node without steps matches only the empty text, however often it is repeated.
            if program.steps.count == start { return }
        }
        guard let maximum else {
            let split = program.steps.count
            try append(.split)
            program.steps[split].x = next
            try append(node)
            try append(.jump, Int32(split))
            program.steps[split].y = next
            return
        }
        var splits: [Int] = []
        for _ in minimum..<max(minimum, maximum) {
            splits.append(program.steps.count)
            try append(.split)
            program.steps[splits[splits.count - 1]].x = next
            try append(node)
        }
        for split in splits { program.steps[split].y = next }
    }
}
