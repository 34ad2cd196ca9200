/// Finds a byte string in a longer one, sixteen positions at a time.
///
/// Two bytes of the needle are compared at their offsets for sixteen positions at once; only if
/// both match is the rest compared. They are the two that are rarest in ordinary text, so that
/// few positions pass. Immutable, so any thread may use it.
final class ByteSearcher: Sendable {
    // The pointer is written only in `init` and freed in `deinit`.
    private nonisolated(unsafe) let needle: UnsafeMutablePointer<UInt8>
    let count: Int
    private let ignoresASCIICase: Bool
    private let firstOffset: Int
    private let secondOffset: Int

    /// - Parameters:
    ///   - needle: The bytes to find; not empty. In lowercase if the case of ASCII letters is
    ///     ignored.
    init(_ needle: [UInt8], ignoresASCIICase: Bool) {
        precondition(!needle.isEmpty, "a searcher needs a needle")
        count = needle.count
        self.ignoresASCIICase = ignoresASCIICase
        self.needle = .allocate(capacity: needle.count)
        needle.withUnsafeBufferPointer { [pointer = self.needle] in
            for index in $0.indices { pointer[index] = $0[index] }
        }
        var first = 0
        for offset in needle.indices
        where ByteSearcher.rarity(needle[offset]) > ByteSearcher.rarity(needle[first]) {
            first = offset
        }
        // Ties go to the last byte: two distant bytes distinguish more.
        var second = first == 0 ? needle.count - 1 : 0
        for offset in needle.indices
        where offset != first
            && ByteSearcher.rarity(needle[offset]) >= ByteSearcher.rarity(needle[second])
        { second = offset }
        firstOffset = first
        secondOffset = second
    }

    deinit { needle.deallocate() }

    /// The first position where the needle lies within `from ..< to`; -1 if there is none. O(to
    /// - from), typically 16 bytes per nanosecond.
    func firstMatch(in base: UnsafeRawPointer, from: Int, to: Int) -> Int {
        ignoresASCIICase
            ? search(base, from, to, folds: true) : search(base, from, to, folds: false)
    }

    /// Whether the buffer contains the needle.
    func isContained(in buffer: UnsafeRawBufferPointer) -> Bool {
        guard let base = buffer.baseAddress else { return false }
        return firstMatch(in: base, from: 0, to: buffer.count) >= 0
    }

    @inline(__always)
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    @inline(__always)
    private func search(_ base: UnsafeRawPointer, _ from: Int, _ to: Int, folds: Bool) -> Int {
        let last = to &- count
        let firstByte = needle[firstOffset]
        let secondByte = needle[secondOffset]
        let first = SIMD16<UInt8>(repeating: firstByte)
        let second = SIMD16<UInt8>(repeating: secondByte)
        // Setting bit 5 turns a letter of either case into lowercase. It also changes a few
        // other bytes, which the full comparison rejects.
        let firstFold = SIMD16<UInt8>(repeating: ByteSearcher.isLetter(firstByte) ? 0x20 : 0)
        let secondFold = SIMD16<UInt8>(repeating: ByteSearcher.isLetter(secondByte) ? 0x20 : 0)
        let atFirst = base + firstOffset
        let atSecond = base + secondOffset

        @inline(__always)
        func candidates(_ position: Int) -> SIMD16<UInt8> {
            var a = atFirst.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
            var b = atSecond.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
            if folds {
                a |= firstFold
                b |= secondFold
            }
            return unsafeBitCast(a .== first, to: SIMD16<UInt8>.self)
                & unsafeBitCast(b .== second, to: SIMD16<UInt8>.self)
        }

        /// The position of the first lane that passes the full comparison; -1 if none does.
        func verify(_ lanes: SIMD16<UInt8>, _ position: Int) -> Int {
            let words = unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
            for half in 0..<2 {
                var word = words[half]
                while word != 0 {
                    let lane = word.trailingZeroBitCount &>> 3
                    let candidate = position &+ half &* 8 &+ lane
                    if candidate > last { return -1 }
                    if isMatch(base + candidate, folds: folds) { return candidate }
                    word &= ~(0xFF &<< UInt64(truncatingIfNeeded: lane &* 8))
                }
            }
            return -1
        }

        var position = from
        let vectorEnd = to &- max(firstOffset, secondOffset)
        while position &+ 64 <= vectorEnd {
            let a = candidates(position)
            let b = candidates(position &+ 16)
            let c = candidates(position &+ 32)
            let d = candidates(position &+ 48)
            let any = unsafeBitCast((a | b) | (c | d), to: SIMD2<UInt64>.self)
            if any[0] | any[1] != 0 {
                var found = verify(a, position)
                if found < 0 { found = verify(b, position &+ 16) }
                if found < 0 { found = verify(c, position &+ 32) }
                if found < 0 { found = verify(d, position &+ 48) }
                if found >= 0 { return found }
            }
            position &+= 64
        }
        while position &+ 16 <= vectorEnd {
            let found = verify(candidates(position), position)
            if found >= 0 { return found }
            position &+= 16
        }
        while position <= last {
            if isMatch(base + position, folds: folds) { return position }
            position &+= 1
        }
        return -1
    }

    @inline(__always)
    private func isMatch(_ bytes: UnsafeRawPointer, folds: Bool) -> Bool {
        if !folds { return ByteComparison.areEqual(bytes, needle, count: count) }
        var index = 0
        while index < count {
            if TextFolding.lowercaseASCII(bytes.load(fromByteOffset: index, as: UInt8.self))
                != needle[index]
            {
                return false
            }
            index &+= 1
        }
        return true
    }

    /// The rarity of a byte in ordinary text: higher is rarer.
    @inline(__always)
    private static func rarity(_ byte: UInt8) -> UInt8 { rarities[Int(byte)] }

    private static let rarities: [UInt8] = {
        var table = [UInt8](repeating: 200, count: 256)
        for byte in 0x80...0xBF { table[byte] = 90 }
        for byte in 0xC3...0xE9 { table[byte] = 80 }
        let commonFirst =
            " etaoinsrhldcumfpgwyb,.v0k1-23456789:/\n'\"()_ASTCMEPBRIDNLFHGOWUxjqzVKJYXQZ"
        for (rank, byte) in commonFirst.utf8.enumerated() { table[Int(byte)] = UInt8(rank) }
        return table
    }()
}
