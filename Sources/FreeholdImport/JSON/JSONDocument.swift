/// A parsed JSON text, with its values in one array and the members of its containers in another.
///
/// A value is identified by its position, so no container owns another one. Therefore a text of
/// any depth is parsed, walked and freed without recursion. A member may also lead to any other
/// value, which is how references of an export are resolved.
struct JSONDocument: Sendable {
    /// The position of a value.
    typealias ID = Int

    enum Value: Sendable {
        case null
        case bool(Bool)
        case integer(Int)
        /// A number with a fraction or an exponent, or one beyond the range of integers.
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

    /// The values; a container comes before its members.
    var values: [Value] = []
    /// The lines that the values begin on, from 1.
    var lines: [Int32] = []
    var members: [Member] = []
    /// The names, each once.
    var names: [String] = []
    var root: ID = 0

    subscript(id: ID) -> Value { values[id] }

    func line(of id: ID) -> Int { Int(lines[id]) }

    func name(of member: Member) -> String { names[Int(member.name)] }

    /// Returns the value of an object's only member, if that has this name.
    func onlyMember(of range: Range<Int>, named name: String) -> Value? {
        guard range.count == 1, self.name(of: members[range.lowerBound]) == name else { return nil }
        return values[Int(members[range.lowerBound].value)]
    }

    /// Returns the value of the member with a name; of several, the last one, as in JavaScript.
    func member(of range: Range<Int>, named name: String) -> ID? {
        range.last { self.name(of: members[$0]) == name }.map { Int(members[$0].value) }
    }
}

/// The reason why a text is not JSON.
struct JSONSyntaxError: Error {
    let line: Int
    let expected: String
    /// The text at the place of the error.
    let found: String
}
