/// A Debian package version, `[epoch:]upstream[-revision]`, ordered as
/// `dpkg --compare-versions` orders it.
///
/// Two versions can be equal and written differently (`1.0` and `0:1.0-0`): `==` follows the
/// order, not the text. For that reason the type is not `Hashable`; use `text` where the
/// spelling matters.
public struct DebianVersion: Sendable {
    /// The version as it was written.
    public let text: String
    /// The number before the first colon, 0 where there is none.
    public let epoch: Int
    /// Where the upstream part begins in `text.utf8`, counted in bytes.
    let upstreamStart: Int
    /// Where the upstream part ends; the revision, if any, begins one byte (the hyphen) later.
    let upstreamEnd: Int

    /// Parses a version, in time linear in its length.
    ///
    /// Throws `InvalidVersion` for an empty part, an epoch that is not a number dpkg can hold,
    /// and characters that the Debian policy does not allow in a version.
    public init(_ text: String) throws(InvalidVersion) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw InvalidVersion(reason: "the version is empty") }

        var epoch = 0
        var upstreamStart = 0
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            guard colon > 0 else { throw InvalidVersion(reason: "the epoch before ':' is empty") }
            // dpkg holds an epoch in a C int.
            guard bytes[..<colon].allSatisfy(\.isDigit), let number = Int32(text.prefix(colon))
            else {
                throw InvalidVersion(
                    reason: "the epoch before ':' is not a number from 0 to \(Int32.max)")
            }
            epoch = Int(number)
            upstreamStart = colon + 1
        }

        let upstreamEnd = bytes.lastIndex(of: UInt8(ascii: "-")) ?? bytes.count
        guard upstreamEnd > upstreamStart else {
            throw InvalidVersion(reason: "the upstream version is empty")
        }
        guard upstreamEnd < bytes.count - 1 || upstreamEnd == bytes.count else {
            throw InvalidVersion(reason: "the revision after '-' is empty")
        }
        // No hyphen can follow the last one, so one set of characters serves both parts. A colon is
        // possible only in the upstream part, after an epoch.
        for (index, byte) in bytes.enumerated().dropFirst(upstreamStart) {
            let allowed =
                byte.isDigit || byte.isLetter
                || [".", "+", "~", "-"].contains(Unicode.Scalar(byte))
                || (byte == UInt8(ascii: ":") && index < upstreamEnd)
            guard allowed else {
                throw InvalidVersion(reason: "a version cannot contain \(describe(byte))")
            }
        }

        self.text = text
        self.epoch = epoch
        self.upstreamStart = upstreamStart
        self.upstreamEnd = upstreamEnd
    }
}

/// Why a text is not a Debian version.
public struct InvalidVersion: Error, Equatable, Sendable {
    /// The reason, as a clause without a full stop.
    public let reason: String
}

extension DebianVersion: CustomStringConvertible {
    public var description: String { text }
}

/// A byte for a message: quoted where it can be printed, else by its number.
private func describe(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte \(byte)"
}
