import FreeholdTestSupport
import Glibc
import Testing

/// What the processes of exit tests inherit.
struct ExitTestProcessTests {
    /// The end of another process is told by a socket that closes: one that an exit test inherited
    /// would stay open as long as that test's process.
    @Test func socketsAreNotInherited() async throws {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        var status = stat()
        fstat(pair[0], &status)
        let number = UInt64(status.st_ino)
        await #expect(processExitsWith: .success) { [number = number as UInt64] in
            let isInherited = (Int32(3)..<4096).contains { descriptor in
                var status = stat()
                return fstat(descriptor, &status) == 0 && UInt64(status.st_ino) == number
                    && status.st_mode & S_IFMT == S_IFSOCK
            }
            #expect(!isInherited)
        }
        for descriptor in pair { close(descriptor) }
    }
}
