/// A parsed JSON text, with its values in one array and the members of its containers in another.
///
/// A value is identified by its position, so no container owns another one. Therefore a text of
/// any depth is parsed, walked and freed without recursion. A member may also lead to any other
/// value, which is how references of an export are resolved.
package struct JSONDocument: Sendable {
    /// The position of a value.
    package typealias ID = Int

    package enum Value: Sendable {
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
    package struct Member: Sendable {
        /// The position of the name in ``names``; -1 in arrays.
        package let name: Int32
        package var value: Int32
    }

    /// The values; a container comes before its members.
    package var values: [Value] = []
    /// The lines that the values begin on, from 1.
    package var lines: [Int32] = []
    package var members: [Member] = []
    /// The names, each once.
    package var names: [String] = []
    package var root: ID = 0

    package subscript(id: ID) -> Value { values[id] }

    package func line(of id: ID) -> Int { Int(lines[id]) }

    package func name(of member: Member) -> String { names[Int(member.name)] }

    /// Returns the value of an object's only member, if that has this name.
    package func onlyMember(of range: Range<Int>, named name: String) -> Value? {
        guard range.count == 1, self.name(of: members[range.lowerBound]) == name else { return nil }
        return values[Int(members[range.lowerBound].value)]
    }

    /// Returns the value of the member with a name; of several, the last one, as in JavaScript.
    package func member(of range: Range<Int>, named name: String) -> ID? {
        range.last { self.name(of: members[$0]) == name }.map { Int(members[$0].value) }
    }
}

/// The reason why a text is not JSON.
package struct JSONSyntaxError: Error {
    package let line: Int
    package let expected: String
    /// The text at the place of the error.
    package let found: String
}
