import FreeholdStorage

/// A change of the program that is not in the shared realm, as `Freehold.Sharing.Rejections` has
/// it, until the program has read it:
///
///     format (UInt8, 1), reason (UInt8), number of the commit (Int64),
///     commit (length (UInt32), bytes)
///
/// The commit has only the changes that were left out.
struct SharedRejectionRecord: Hashable {
    enum Reason: UInt8 {
        case objectDeleted = 1
        case doesNotFit = 2
        case damagedPayload = 3
        /// The commit and those after it; their changes are no longer known.
        case lostByServer = 4
    }

    var reason: Reason
    var clientSequence: Int64
    var commit: ContiguousArray<UInt8>

    /// - Parameters:
    ///   - object: The object that the changes are of; nil for all of the commit.
    init(
        reason: Reason, clientSequence: Int64, object: SharedReference?,
        commit: ContiguousArray<UInt8>
    ) {
        self.reason = reason
        self.clientSequence = clientSequence
        guard let object, var left = SharedCommit(decoding: commit) else {
            self.commit = commit
            return
        }
        left.deleted.removeAll { $0 != object }
        left.inserted.removeAll { $0.object != object }
        left.updated.removeAll { $0.object != object }
        self.commit = left.encoded()
    }

    func encoded() -> ContiguousArray<UInt8> {
        var out: ContiguousArray<UInt8> = [1, reason.rawValue]
        withUnsafeBytes(of: clientSequence.littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(commit.count).littleEndian) { out.append(contentsOf: $0) }
        return out + commit
    }

    init?(decoding bytes: ContiguousArray<UInt8>) {
        guard bytes.count >= 14, bytes[0] == 1, let reason = Reason(rawValue: bytes[1]) else {
            return nil
        }
        self.reason = reason
        clientSequence = bytes.withUnsafeBytes {
            Int64(littleEndian: $0.loadUnaligned(fromByteOffset: 2, as: Int64.self))
        }
        commit = ContiguousArray(bytes[14...])
    }
}

extension SharedApplier.LeftOut {
    /// The same in every process, unlike `hashValue`.
    var stableHash: UInt64 { Self.stableHash(object, property, reason) }

    static func stableHash(_ object: SharedReference, _ property: String?, _ reason: Reason)
        -> UInt64
    {
        var commit = SharedCommit()
        commit.author = property
        commit.deleted = [object]
        return commit.encoded().reduce(0xCBF2_9CE4_8422_2325 ^ UInt64(reason.rawValue)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
    }
}
