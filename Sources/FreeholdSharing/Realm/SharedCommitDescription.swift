import Freehold
import FreeholdStorage

/// What a commit of a log does, as plain values: for tools that look into an upstream.
public struct SharedCommitDescription: Sendable {
    /// Who wrote it, as the program said.
    public let author: String?
    /// What it does to which objects: first what it deletes, then what it adds and changes.
    public let changes: [SharedChange]

    /// Decodes a commit; nil if its bytes are damaged, or of a later format. O(bytes).
    public init?(_ commit: LoggedCommit) {
        guard commit.format <= SharedCommit.format,
            let decoded = SharedCommit(decoding: commit.payload)
        else { return nil }
        author = decoded.author
        changes = decoded.changes
    }
}

extension SharedChange: Encodable {
    private enum CodingKeys: String, CodingKey {
        case className = "class"
        case primaryKey = "key"
        case kind, values
    }

    /// Encodes the change: `class`, `key`, `kind`, and `values` if there are any.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(className, forKey: .className)
        try container.encode(primaryKey, forKey: .primaryKey)
        try container.encode("\(kind)", forKey: .kind)
        if !values.isEmpty { try container.encode(values, forKey: .values) }
    }
}
