/// The lengths of records, which everybody with the file sees. They are rounded up, so that
/// they say little of what is inside.
///
/// Nodes all have one length. A value's is rounded up to 256 bytes, and from one page on to
/// whole pages of LMDB's, which it would fill anyway; the largest ones to Padmé's steps besides
/// (Nikitin et al., 2019), which tell less than an eighth.
enum EncryptedLength {
    private static let step = 256
    /// The most bytes of a record that shares its page with others, and that fills one page.
    private static let longestShared = 1_792
    private static let onePage = 4_080 - TreeEncryption.overhead
    private static let page = 4_096

    /// How many bytes are encrypted for a value of `count` bytes.
    static func padded(_ count: Int) -> Int {
        if count <= longestShared { return (count + step - 1) / step * step }
        let rounded = padme(count)
        return onePage + max(0, rounded - onePage + page - 1) / page * page
    }

    /// Leaves as many leading bits of a length as its number of bits has bits.
    private static func padme(_ count: Int) -> Int {
        let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
        let kept = Int.bitWidth - exponent.leadingZeroBitCount
        guard exponent > kept else { return count }
        let mask = 1 << (exponent - kept) - 1
        return (count + mask) & ~mask
    }
}
