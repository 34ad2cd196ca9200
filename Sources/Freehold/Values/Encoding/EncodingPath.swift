import FreeholdStorage

/// The objects that are being encoded on a thread, one inside of the other.
///
/// An encoder says nothing about them, and the code that the compiler makes for `Codable`
/// passes nothing on; so they are kept by thread. Encoding is synchronous: what begins on a
/// thread ends on it.
final class EncodingPath: @unchecked Sendable {
    // @unchecked: used by its thread only.

    private struct Entry {
        let object: ObjectBase
        /// How long the encoder's path was; -1 where the object's own code calls.
        let depth: Int
        /// Whether its own `encode(to:)` asked for what the library writes, which is being written.
        var isDelegated = false
    }

    /// From the outermost on.
    private var entries: [Entry] = []
    /// How many of them are linked to and not embedded; with the first.
    private var linkCount = 0
    /// How many objects and collections inside of any values are being encoded.
    private var nesting = 0

    /// How many objects and collections of any values may be inside of each other: encoders
    /// recurse.
    static let maximumNesting = 128
    /// What has to be left of the thread's stack where one more is begun, in bytes: several
    /// times what one takes.
    private static let stackReserve: UInt = 96 << 10
    /// Where the thread's stack ends; 0 where the system does not say.
    private let stackEnd = ThreadStack.end

    /// The calling thread's.
    static var current: EncodingPath {
        let thread = ThreadIdentity.current
        if let known = thread.encodingPath { return known }
        let made = EncodingPath()
        thread.encodingPath = made
        return made
    }

    /// How many links lead from the outermost object to one that would be encoded next. 0 if
    /// none is being encoded.
    var links: Int { linkCount }

    func contains(_ object: ObjectBase) -> Bool {
        entries.contains { $0.object.isSameRow(as: object) }
    }

    /// Runs `body` if it is the innermost object's own `encode(to:)` that asks for the object,
    /// at the same depth of the encoder's path: it wants what the library would write.
    ///
    /// - Returns: Whether that was so.
    func delegate(_ object: ObjectBase, at depth: Int, _ body: () throws -> Void) throws -> Bool {
        guard let last = entries.last, last.depth == depth, !last.isDelegated,
            last.object.isSameRow(as: object)
        else { return false }
        let index = entries.count - 1
        entries[index].isDelegated = true
        defer { entries[index].isDelegated = false }
        try body()
        return true
    }

    /// Runs `body` with an object as the innermost one.
    func inside<Result>(_ object: ObjectBase, at depth: Int = -1, _ body: () throws -> Result)
        throws -> Result
    {
        let isLinked = !(object is EmbeddedObject)
        entries.append(Entry(object: object, depth: depth))
        if isLinked { linkCount += 1 }
        defer {
            entries.removeLast()
            if isLinked { linkCount -= 1 }
        }
        return try nested(object, body)
    }

    /// Runs `body` for the links of an object whose own code encodes it, so that it is the
    /// innermost one.
    func insideOwner<Result>(_ owner: ObjectBase?, _ body: () throws -> Result) throws -> Result {
        if let owner {
            if let last = entries.last, last.object.isSameRow(as: owner) { return try body() }
            return try inside(owner, body)
        }
        // An unmanaged object, which the wrapper does not know: that on the path, or the
        // outermost one.
        if !entries.isEmpty { return try body() }
        linkCount += 1
        defer { linkCount -= 1 }
        return try body()
    }

    /// Counts something that nests. Throws if it nests too deep.
    func nested<Result>(_ value: Any, _ body: () throws -> Result) throws -> Result {
        if nesting >= EncodingPath.maximumNesting || isStackShort {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription:
                        """
                        Too many objects and collections are inside of each other, \(nesting) \
                        by now: set CodingUserInfoKey.linkDepth in the encoder's userInfo.
                        """))
        }
        nesting += 1
        defer { nesting -= 1 }
        return try body()
    }

    private var isStackShort: Bool {
        var here: UInt8 = 0
        return withUnsafeMutablePointer(to: &here) {
            UInt(bitPattern: $0) < stackEnd + EncodingPath.stackReserve
        }
    }
}
