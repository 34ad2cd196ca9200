package import Foundation
import Glibc

/// A small file system, for a table space or for files of realms.
package struct SmallDisk: Sendable {
    package static var isPossible: Bool {
        guard getuid() == 0 else { return false }
        // Root of a container may not mount.
        let probe = FileManager.default.temporaryDirectory.appendingPathComponent(
            "fhpg-mount-\(getpid())")
        try? FileManager.default.createDirectory(at: probe, withIntermediateDirectories: true)
        defer { rmdir(probe.path) }
        guard mount("tmpfs", probe.path, "tmpfs", 0, "size=64k") == 0 else { return false }
        umount(probe.path)
        return true
    }

    package let path: String

    package init(for server: PostgresServer, byteCount: Int) async throws {
        try await self.init(
            at: server.directory.appendingPathComponent("small"), byteCount: byteCount)
        try ServerFiles.giveAway(path)
        chmod(path, 0o700)
    }

    /// Makes the directory.
    package init(at url: URL, byteCount: Int) async throws {
        let path = url.path
        self.path = path
        try await onThread {
            mkdir(path, 0o755)
            guard mount("tmpfs", path, "tmpfs", 0, "size=\(byteCount)") == 0 else {
                throw ServerFailure("\(path) cannot be mounted.")
            }
        }
    }

    package func grow(to byteCount: Int) async throws {
        let path = path
        try await onThread {
            guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(byteCount)") == 0
            else { throw ServerFailure("\(path) cannot grow.") }
        }
    }

    package func unmount() async throws {
        let path = path
        try await onThread {
            guard umount(path) == 0 else { throw ServerFailure("\(path) is in use.") }
        }
    }
}
