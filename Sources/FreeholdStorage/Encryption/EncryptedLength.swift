/// The padded lengths of records. Record lengths are visible to everyone who has the file, so
/// they are rounded up to reveal little about the contents.
///
/// All nodes have the same length. A value's length is rounded up to 256 bytes, and from one
/// page on to whole LMDB pages, which it would occupy anyway. The largest values are also
/// rounded to Padmé's steps (Nikitin et al., 2019), which add less than an eighth.
enum EncryptedLength {
    private static let step = 256
    /// The greatest length of a record that shares its page with others, and of one that fills
    /// one page.
    private static let longestShared = 1_792
    private static let onePage = 4_080 - TreeEncryption.overhead
    private static let page = 4_096

    /// The number of bytes that are encrypted for a value of `count` bytes.
    static func padded(_ count: Int) -> Int {
        if count <= longestShared { return (count + step - 1) / step * step }
        let rounded = padme(count)
        return onePage + max(0, rounded - onePage + page - 1) / page * page
    }

    /// Keeps as many leading bits of a length as the bit count of its exponent, and rounds up
    /// the rest.
    private static func padme(_ count: Int) -> Int {
        let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
        let kept = Int.bitWidth - exponent.leadingZeroBitCount
        guard exponent > kept else { return count }
        let mask = 1 << (exponent - kept) - 1
        return (count + mask) & ~mask
    }
}
