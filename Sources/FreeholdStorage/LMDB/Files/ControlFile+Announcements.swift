/// Announcements of commits: the version's number in the 8 bytes behind the first place for a
/// record. They are written only to trigger an inotify event; a reader only compares them with
/// the previous ones.
extension ControlFile {
    private static let announcementOffset = ControlRecord.byteCount

    /// Asks other processes to announce their commits, while this process has the file open or
    /// until ``endHearing()``.
    func beginHearing() { _ = try? tryLock(.listeners, .shared) }

    func endHearing() { unlock(.listeners) }

    /// Announces a commit if another process listens. With the write gate held, after the
    /// version is readable. One system call if no process listens, else two.
    ///
    /// A process that starts to listen after the check then reads the newest version, so it
    /// sees this one. A failure does no harm: listeners also poll once a second.
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
