/// How long writers of a kind waited, from asking until their block began: counts of durations
/// that are told apart by an eighth of themselves, so that those of several processes and of
/// hours can be added up.
struct WaitTimes {
    private var counts: [Int: Int] = [:]
    private(set) var count = 0
    private(set) var longest: UInt64 = 0

    mutating func add(nanoseconds: UInt64) {
        counts[Self.bucket(nanoseconds), default: 0] += 1
        count += 1
        longest = max(longest, nanoseconds)
    }

    /// Below 8 ns one each, then eight buckets a power of two.
    private static func bucket(_ nanoseconds: UInt64) -> Int {
        if nanoseconds < 8 { return Int(nanoseconds) }
        let exponent = 63 - nanoseconds.leadingZeroBitCount
        return (exponent - 2) * 8 + Int(nanoseconds >> (exponent - 3)) - 8
    }

    /// The largest duration of a bucket.
    private static func end(_ bucket: Int) -> UInt64 {
        if bucket < 8 { return UInt64(bucket) }
        let (exponent, part) = (bucket / 8 + 2, UInt64(bucket % 8))
        return (part + 9) << (exponent - 3) - 1
    }

    /// In milliseconds: what so large a part of the waits was no longer than, to an eighth.
    func quantile(_ part: Double) -> Double {
        var left = Int((Double(count) * part).rounded(.up))
        for (bucket, count) in counts.sorted(by: { $0.key < $1.key }) {
            left -= count
            if left <= 0 { return Double(min(Self.end(bucket), longest)) / 1e6 }
        }
        return Double(longest) / 1e6
    }

    // MARK: From one process to another

    /// "longest bucket:count bucket:count …"
    var line: String {
        (["\(longest)"] + counts.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }).joined(
            separator: " ")
    }

    /// Adds what another process said. False if it is no ``line``.
    mutating func add<Words: Collection>(_ words: Words) -> Bool
    where Words.Element: StringProtocol {
        guard let first = words.first, let longest = UInt64(first) else { return false }
        self.longest = max(self.longest, longest)
        for word in words.dropFirst() {
            let numbers = word.split(separator: ":").compactMap { Int($0) }
            guard numbers.count == 2 else { return false }
            counts[numbers[0], default: 0] += numbers[1]
            count += numbers[1]
        }
        return true
    }
}
