/// Commits are told of by the 8 bytes behind the first place for a record, the number of the
/// version. They are there for the event that writing them makes; whatever they say is only
/// compared with what they said before.
extension ControlFile {
    private static let announcementOffset = ControlRecord.byteCount

    /// Asks other processes to tell of their commits, for as long as this process has the file
    /// open or until ``endHearing()``.
    func beginHearing() { _ = try? tryLock(.listeners, .shared) }

    func endHearing() { unlock(.listeners) }

    /// Tells of a commit if another process listens. With the write gate held, after the
    /// version can be read. One system call if nobody listens, else two.
    ///
    /// One who begins to listen after the look reads the newest version after that, and sees
    /// this one. Failing does no harm: who listens looks once a second, too.
    func announceCommit(_ version: UInt64) {
        guard isWritable, (try? isHeldByOthers(.listeners)) ?? true else { return }
        withUnsafeBytes(of: version.littleEndian) {
            _ = Files.write($0, to: descriptor, at: Self.announcementOffset)
        }
    }

    /// The version of the last announcement; nil if there was none.
    var announcedVersion: UInt64? {
        var version: UInt64 = 0
        let result = withUnsafeMutableBytes(of: &version) {
            Files.read(descriptor, into: $0, at: Self.announcementOffset)
        }
        return result == .success(8) ? UInt64(littleEndian: version) : nil
    }
}
