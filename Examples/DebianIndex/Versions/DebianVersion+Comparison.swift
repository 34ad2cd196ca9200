extension DebianVersion: Comparable {
    public static func == (left: DebianVersion, right: DebianVersion) -> Bool {
        left.text == right.text || compare(left, right) == 0
    }

    public static func < (left: DebianVersion, right: DebianVersion) -> Bool {
        compare(left, right) < 0
    }

    /// Negative, zero or positive as `left` is older than, equal to or newer than `right`.
    private static func compare(_ left: DebianVersion, _ right: DebianVersion) -> Int {
        if left.epoch != right.epoch { return left.epoch < right.epoch ? -1 : 1 }
        let leftBytes = Array(left.text.utf8)
        let rightBytes = Array(right.text.utf8)
        let upstream = comparePart(
            leftBytes[left.upstreamStart..<left.upstreamEnd],
            rightBytes[right.upstreamStart..<right.upstreamEnd]
        )
        if upstream != 0 { return upstream }
        return comparePart(
            leftBytes[left.upstreamEnd...].dropFirst(),
            rightBytes[right.upstreamEnd...].dropFirst()
        )
    }

    /// Compares an upstream version or a revision by the Debian policy (5.6.12).
    ///
    /// Both texts are read as runs of non-digits and digits in turn. Runs of non-digits compare
    /// character by character with `weight`; runs of digits compare as numbers of any length.
    /// An empty run of digits is the number 0, so a missing revision equals the revision `0`.
    private static func comparePart(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        var left = left
        var right = right
        while !left.isEmpty || !right.isEmpty {
            while left.first?.isDigit == false || right.first?.isDigit == false {
                // Only a side that is at its end or at a digit weighs 0. So this returns before
                // either side advances past its run.
                let difference = weight(left.first) - weight(right.first)
                if difference != 0 { return difference }
                left = left.dropFirst()
                right = right.dropFirst()
            }
            let leftDigits = left.prefix(while: \.isDigit)
            let rightDigits = right.prefix(while: \.isDigit)
            let difference = compareNumbers(leftDigits, rightDigits)
            if difference != 0 { return difference }
            left = left.dropFirst(leftDigits.count)
            right = right.dropFirst(rightDigits.count)
        }
        return 0
    }

    /// `~` before the end of a part, the end before letters, letters before everything else.
    private static func weight(_ byte: UInt8?) -> Int {
        guard let byte, !byte.isDigit else { return 0 }
        if byte == UInt8(ascii: "~") { return -1 }
        return byte.isLetter ? Int(byte) : Int(byte) + 256
    }

    /// Compares two runs of decimal digits by value, however long they are.
    private static func compareNumbers(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int
    {
        let left = left.drop { $0 == UInt8(ascii: "0") }
        let right = right.drop { $0 == UInt8(ascii: "0") }
        if left.count != right.count { return left.count - right.count }
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}
