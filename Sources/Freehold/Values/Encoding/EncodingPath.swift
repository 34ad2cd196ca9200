import FreeholdStorage

/// The objects that are being encoded on a thread, nested in each other.
///
/// An encoder does not show them, and synthesised `Codable` code passes nothing on, so they are
/// recorded by thread. Encoding is synchronous: it begins and ends on one thread.
final class EncodingPath: @unchecked Sendable {
    // @unchecked: used by its thread only.

    private struct Entry {
        let object: ObjectBase
        /// The length of the encoder's path; -1 if the object's own code calls.
        let depth: Int
        /// Whether the object's own `encode(to:)` has called the library to encode its
        /// properties.
        var isDelegated = false
    }

    /// The objects from the outermost on.
    private var entries: [Entry] = []
    /// How many of them are reached by a link, not embedded; includes the outermost one.
    private var linkCount = 0
    /// How many objects and collections inside of ``AnyRealmValue``s are being encoded.
    private var nesting = 0

    /// How many objects and collections of ``AnyRealmValue``s may be nested: encoders recurse.
    static let maximumNesting = 128
    /// How much of the thread's stack must be left for another level, in bytes: several times the
    /// need of one level.
    private static let stackReserve: UInt = 96 << 10
    /// The end of the thread's stack; 0 if the system does not tell.
    private let stackEnd = ThreadStack.end

    /// The path of the calling thread.
    static var current: EncodingPath {
        let thread = ThreadIdentity.current
        if let known = thread.encodingPath { return known }
        let made = EncodingPath()
        thread.encodingPath = made
        return made
    }

    /// How many links lead from the outermost object to the one encoded next. 0 if none is being
    /// encoded.
    var links: Int { linkCount }

    func contains(_ object: ObjectBase) -> Bool {
        entries.contains { $0.object.isSameRow(as: object) }
    }

    /// Runs `body` if the innermost object's own `encode(to:)` asks for the object at the same
    /// depth of the encoder's path: it wants the library's encoding.
    ///
    /// - Returns: Whether `body` was run.
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

    /// Runs `body` for the links of an object whose own code encodes it, with that object as the
    /// innermost one.
    func insideOwner<Result>(_ owner: ObjectBase?, _ body: () throws -> Result) throws -> Result {
        if let owner {
            if let last = entries.last, last.object.isSameRow(as: owner) { return try body() }
            return try inside(owner, body)
        }
        // The wrapper does not know an unmanaged owner. It is the innermost object of the path,
        // or the outermost one of the encoding.
        if !entries.isEmpty { return try body() }
        linkCount += 1
        defer { linkCount -= 1 }
        return try body()
    }

    /// Counts a nested value. Throws if it is nested too deep.
    func nested<Result>(_ value: Any, _ body: () throws -> Result) throws -> Result {
        if nesting >= EncodingPath.maximumNesting || isStackShort {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription: """
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
