/// A JSON text, parsed: its values in one array and the members of its containers in another one.
///
/// A value is named by its position. So no container owns another one: a text of any depth is
/// parsed, walked and freed without recursion, and a member may be made to lead to any other
/// value, which is what the references of an export become.
struct JSONDocument: Sendable {
    /// A value's position.
    typealias ID = Int

    enum Value: Sendable {
        case null
        case bool(Bool)
        case integer(Int)
        /// A number with a fraction or an exponent, or one that is too large for an integer.
        case number(Double)
        case string(String)
        /// The positions of its members.
        case array(Range<Int>)
        /// The positions of its members.
        case object(Range<Int>)
    }

    /// A value inside of a container.
    struct Member: Sendable {
        /// The position of the name in ``names``; -1 in arrays.
        let name: Int32
        var value: Int32
    }

    /// A container comes before its members.
    var values: [Value] = []
    /// The lines that the values begin on, from 1.
    var lines: [Int32] = []
    var members: [Member] = []
    /// Each name once.
    var names: [String] = []
    var root: ID = 0

    subscript(id: ID) -> Value { values[id] }

    func line(of id: ID) -> Int { Int(lines[id]) }

    func name(of member: Member) -> String { names[Int(member.name)] }

    /// The value of an object's only member, if that has this name.
    func onlyMember(of range: Range<Int>, named name: String) -> Value? {
        guard range.count == 1, self.name(of: members[range.lowerBound]) == name else { return nil }
        return values[Int(members[range.lowerBound].value)]
    }

    /// The value of the member with a name; of several the last, as in JavaScript.
    func member(of range: Range<Int>, named name: String) -> ID? {
        range.last { self.name(of: members[$0]) == name }.map { Int(members[$0].value) }
    }
}

/// Why a text is no JSON.
struct JSONSyntaxError: Error {
    let line: Int
    let expected: String
    /// What stands there instead.
    let found: String
}
