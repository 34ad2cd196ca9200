import Glibc

/// One call that fails: the `number`th of a kind in a script.
struct Fault: Codable, Sendable, Hashable, CustomStringConvertible {
    /// As in FaultShim.h.
    enum Kind: Int32, Codable, CaseIterable, Sendable {
        case dataWrite, metaWrite, controlWrite, otherWrite, sync, allocate, map, open, rename,
            unlink, lock, read, allocation

        /// Whether each script makes such calls.
        var isOfEachScript: Bool { self != .otherWrite }

        /// What such a call can fail with; negative numbers as in FaultShim.h.
        var errors: [Int32] {
            switch self {
            case .dataWrite, .metaWrite, .controlWrite, .otherWrite:
                [ENOSPC, EIO, EINTR, Fault.short, Fault.done]
            case .sync: [EIO, ENOSPC, EINTR, Fault.done]
            case .allocate: [ENOSPC, EIO, EINTR, Fault.done]
            case .map: [ENOMEM, EACCES]
            case .open: [EMFILE, EIO, ENOSPC, EINTR]
            case .rename: [EIO, ENOSPC, Fault.done]
            case .unlink: [EIO]
            case .lock: [EINTR, ENOLCK]
            case .read: [EIO, EINTR]
            case .allocation: [ENOMEM]
            }
        }
    }

    static let short: Int32 = -1
    static let done: Int32 = -2
    static let death: Int32 = -3
    static let power: Int32 = -4

    /// A script of its own: which realm is written.
    enum Scenario: String, Codable, CaseIterable, Sendable {
        case plain, encrypted, relaxed
    }

    var scenario: Scenario
    var kind: Kind
    var number: Int
    var error: Int32
    /// Whether all calls behind it fail, too, until the script gives up.
    var isSticky: Bool

    var description: String {
        let what =
            switch error {
            case Self.short: "in part"
            case Self.done: "done but EIO"
            default: String(cString: strerror(error))
            }
        return "\(scenario), \(kind) \(number): \(what), \(isSticky ? "sticky" : "once")"
    }
}
