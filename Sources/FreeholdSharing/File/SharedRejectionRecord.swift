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

    init(reason: Reason, clientSequence: Int64, commit: ContiguousArray<UInt8>) {
        self.reason = reason
        self.clientSequence = clientSequence
        self.commit = commit
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

extension SharedCommit {
    /// What was left out of the commit, for each object and reason. O(changes).
    func parts(leftOut: [SharedApplier.LeftOut]) -> [(
        reason: SharedApplier.LeftOut.Reason, part: SharedCommit
    )] {
        var parts: [LeftOutPart] = []
        var places: [SharedReference: [Int]] = [:]
        for left in leftOut {
            if let place = places[left.object]?.first(where: { parts[$0].reason == left.reason }) {
                parts[place].add(left.property)
            } else {
                places[left.object, default: []].append(parts.count)
                parts.append(LeftOutPart(left))
                let name = left.object.className
                parts[parts.count - 1].commit.classes[name] = classes[name]
            }
        }
        for insertion in inserted {
            for place in places[insertion.object] ?? [] { parts[place].take(insertion) }
        }
        for update in updated {
            for place in places[update.object] ?? [] { parts[place].take(update) }
        }
        return parts.map { ($0.reason, $0.commit) }
    }
}

/// What was left out of a commit, of one object for one reason.
private struct LeftOutPart {
    let reason: SharedApplier.LeftOut.Reason
    /// Nil for all of the object.
    private var properties: Set<String>?
    var commit = SharedCommit()

    init(_ leftOut: SharedApplier.LeftOut) {
        reason = leftOut.reason
        properties = leftOut.property.map { [$0] }
    }

    mutating func add(_ property: String?) {
        if let property {
            properties?.insert(property)
        } else {
            properties = nil
        }
    }

    mutating func take(_ insertion: SharedCommit.Insertion) {
        // An insertion adds the object if it is gone.
        if reason == .isGone { return }
        let values = insertion.values.filter { properties?.contains($0.key) ?? true }
        if values.isEmpty, properties != nil { return }
        commit.inserted.append(.init(insertion.object, values))
    }

    mutating func take(_ update: SharedCommit.Update) {
        let changes = update.changes.filter { properties?.contains($0.key) ?? true }
        if !changes.isEmpty { commit.updated.append(.init(update.object, changes)) }
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
