// Follows all paths through a program at once: the steps that wait for a scalar are a set. Each
// scalar of the text turns the set into the next one.

extension RegularExpression {
    /// Whether the whole text matches. O(text × program), without recursion. The memory is
    /// proportional to the program.
    ///
    /// - Parameter text: UTF-8. An invalid byte counts as U+FFFD.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        let count = program.steps.count
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 4 * count) { memory in
            memory.initialize(repeating: -1)
            return program.steps.withUnsafeBufferPointer { steps in
                var machine = RegularExpressionMachine(
                    text: text, steps: steps, program: program, memory: memory)
                return machine.run()
            }
        }
    }

    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    }
}

private struct RegularExpressionMachine {
    let text: UnsafeRawBufferPointer
    let steps: UnsafeBufferPointer<RegularExpressionProgram.Step>
    let sets: [ScalarSet]
    let hasWordBoundaries: Bool
    /// The steps that wait for the scalar at `offset`.
    private var waiting: UnsafeMutableBufferPointer<Int32>
    private var waitingCount = 0
    /// The steps that will wait for the scalar after it.
    private var following: UnsafeMutableBufferPointer<Int32>
    private var followingCount = 0
    /// For each step, the last position at which it was reached.
    private let reached: UnsafeMutableBufferPointer<Int32>
    /// The steps to continue at. Each is added once a position, so there is room for all.
    private let pending: UnsafeMutableBufferPointer<Int32>
    private var position: Int32 = 0
    private var offset = 0
    /// The scalar before the position; nil at the start of the text.
    private var previous: UInt32?
    /// Whether the last scalar that does not extend another one is part of a word.
    private var followsWord = false
    private var isAtEnd = false

    init(
        text: UnsafeRawBufferPointer, steps: UnsafeBufferPointer<RegularExpressionProgram.Step>,
        program: RegularExpressionProgram, memory: UnsafeMutableBufferPointer<Int32>
    ) {
        self.text = text
        self.steps = steps
        sets = program.sets
        hasWordBoundaries = program.hasWordBoundaries
        let count = steps.count
        waiting = UnsafeMutableBufferPointer(rebasing: memory[..<count])
        following = UnsafeMutableBufferPointer(rebasing: memory[count..<2 * count])
        reached = UnsafeMutableBufferPointer(rebasing: memory[2 * count..<3 * count])
        pending = UnsafeMutableBufferPointer(rebasing: memory[3 * count..<4 * count])
    }

    mutating func run() -> Bool {
        reach(0)
        swap(&waiting, &following)
        (waitingCount, followingCount) = (followingCount, 0)
        while offset < text.count {
            if waitingCount == 0 { return false }
            let (value, width) = scalar(at: offset)
            offset += width
            isAtEnd = false
            if hasWordBoundaries { noteWord(value) }
            previous = value
            position &+= 1
            var folded: UInt32?
            for index in 0..<waitingCount {
                let number = Int(waiting[index])
                let step = steps[number]
                let holds: Bool
                switch step.operation {
                case .scalar: holds = UInt32(bitPattern: step.x) == value
                case .folded:
                    let known = folded ?? CaseFolding.fold(value)
                    folded = known
                    holds = UInt32(bitPattern: step.x) == known
                case .set: holds = sets[Int(step.x)].contains(value)
                case .anyInLine: holds = !ScalarProperty.isLineEnd(value)
                case .any: holds = true
                case .split, .jump, .assertion, .end: holds = false
                }
                if holds { reach(number + 1) }
            }
            swap(&waiting, &following)
            (waitingCount, followingCount) = (followingCount, 0)
        }
        return isAtEnd
    }

    /// Follows a step at the current position, up to the steps that wait for a scalar.
    private mutating func reach(_ start: Int) {
        var pendingCount = 0
        note(Int32(start), &pendingCount)
        while pendingCount > 0 {
            pendingCount -= 1
            let number = pending[pendingCount]
            let step = steps[Int(number)]
            switch step.operation {
            case .jump: note(step.x, &pendingCount)
            case .split:
                note(step.y, &pendingCount)
                note(step.x, &pendingCount)
            case .assertion:
                if let assertion = RegularExpressionAssertion(rawValue: step.x), holds(assertion) {
                    note(number + 1, &pendingCount)
                }
            case .end: isAtEnd = true
            case .scalar, .folded, .set, .anyInLine, .any:
                following[followingCount] = number
                followingCount += 1
            }
        }
    }

    private func note(_ number: Int32, _ pendingCount: inout Int) {
        if reached[Int(number)] == position { return }
        reached[Int(number)] = position
        pending[pendingCount] = number
        pendingCount += 1
    }

    // MARK: Assertions

    private func holds(_ assertion: RegularExpressionAssertion) -> Bool {
        let isEnd = offset == text.count
        switch assertion {
        case .textStart: return previous == nil
        case .textEnd: return isEnd
        case .lastLineEnd:
            if isEnd { return true }
            let (value, width) = scalar(at: offset)
            if offset + width == text.count {
                return ScalarProperty.isLineEnd(value) && !(value == 0x0A && previous == 0x0D)
            }
            return value == 0x0D && offset + 2 == text.count && text[offset + 1] == 0x0A
        case .lineStart:
            guard let previous else { return true }
            return !isEnd && ScalarProperty.isLineEnd(previous)
        case .beforeLineEnd:
            if isEnd { return true }
            let value = scalar(at: offset).value
            return ScalarProperty.isLineEnd(value) && !(value == 0x0A && previous == 0x0D)
        case .wordBoundary: return isWordBoundary
        case .noWordBoundary: return !isWordBoundary
        case .noLineFeed: return previous != 0x0D || isEnd || text[offset] != 0x0A
        }
    }

    private var isWordBoundary: Bool {
        guard offset < text.count, let scalar = Unicode.Scalar(scalar(at: offset).value) else {
            return followsWord
        }
        return !ScalarProperty.isExtender(scalar) && ScalarProperty.isWord(scalar) != followsWord
    }

    private mutating func noteWord(_ value: UInt32) {
        guard let scalar = Unicode.Scalar(value), !ScalarProperty.isExtender(scalar) else { return }
        followsWord = ScalarProperty.isWord(scalar)
    }

    // MARK: UTF-8

    @inline(__always)
    private func scalar(at offset: Int) -> (value: UInt32, width: Int) {
        let first = text[offset]
        return first < 0x80 ? (UInt32(first), 1) : longScalar(at: offset)
    }

    private func longScalar(at offset: Int) -> (value: UInt32, width: Int) {
        let first = UInt32(text[offset])
        let width = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first < 0xF5, offset + width <= text.count else { return (0xFFFD, 1) }
        var value = first & (0x7F >> UInt32(width))
        for index in 1..<width {
            let byte = UInt32(text[offset + index])
            if byte & 0xC0 != 0x80 { return (0xFFFD, 1) }
            value = value << 6 | byte & 0x3F
        }
        return Unicode.Scalar(value) == nil ? (0xFFFD, 1) : (value, width)
    }
}
