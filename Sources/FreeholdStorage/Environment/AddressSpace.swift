/// Limits the address space that the maps of this process's files reserve.
///
/// A map cannot grow while a version of its file is read, so each map is made far larger than
/// its file. But a process has 128 TiB for all of them. The first few files get all that they
/// ask for, and each further file gets less. So a process with one file never meets a limit,
/// and a process with thousands of files can open them all.
enum AddressSpace {
    /// The number of maps of each size, and the size: 96 TiB together. Further maps get the
    /// last size while address space remains.
    private static let shares: [(count: Int, size: Int)] = [
        (32, 1 << 40), (512, 1 << 36), (8192, 1 << 32), (.max, 1 << 30),
    ]

    private static let openCount = Locked(processWide: 0)

    /// The greatest size for one more map, by the number of existing ones.
    static var shareOfNext: Int { share(ofMap: openCount.withLock { $0 }) }

    /// The greatest size for a map beside `others` existing ones.
    static func share(ofMap others: Int) -> Int {
        var first = 0
        for (count, size) in shares {
            if others - first < count { return size }
            first += count
        }
        preconditionFailure("The last share has no end.")
    }

    /// Counts a new map.
    static func mapWasMade() { openCount.withLock { $0 += 1 } }

    /// Counts a map that was removed.
    static func mapIsGone() { openCount.withLock { $0 -= 1 } }
}
