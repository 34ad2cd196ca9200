import Foundation
import Glibc

/// What a process has of the system at a moment.
struct ProcessFigures: Codable, Sendable {
    /// Bytes of memory of its own: not of mapped files, which the kernel takes back as it likes.
    var anonymousBytes = 0
    var threads = 0
    var descriptors = 0
    var maps = 0

    /// Of a process that lives; nil of one that does not.
    init?(_ process: pid_t = getpid()) {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let descriptors = try? FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(process)/fd"
            ).count,
            let maps = try? String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        else { return nil }
        for line in status.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count > 1, let number = Int(words[1]) else { continue }
            if words[0] == "RssAnon:" { anonymousBytes = number * 1024 }
            if words[0] == "Threads:" { threads = number }
        }
        self.descriptors = descriptors
        self.maps = maps.utf8.count { $0 == 10 }
    }

    /// Of this process, after the allocator has given back what is free, so that what is left
    /// is in use.
    static func ofThisProcess() -> ProcessFigures? {
        // Of <malloc.h>, which Glibc's module leaves out.
        if let trim = dlsym(nil, "malloc_trim") {
            _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
        }
        return ProcessFigures()
    }

    /// The files below a directory that this process has open.
    static func openFiles(in directory: String) -> [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(directory) }.sorted()
    }
}
