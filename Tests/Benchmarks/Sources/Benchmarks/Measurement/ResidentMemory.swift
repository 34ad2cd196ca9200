import CMeasurement
import Foundation
import Glibc

/// The process's resident memory, as the kernel counts it: mapped file pages included.
enum ResidentMemory {
    /// Runs `body` and gives the bytes by which the resident set grew at its highest, or nil
    /// where the kernel does not tell.
    ///
    /// Memory that earlier work freed and the allocator kept goes back to the kernel first,
    /// since `body` would otherwise reuse it unseen.
    static func peakGrowth(during body: () throws -> Void) throws -> Int? {
        measurement_return_free_memory()
        let canReset = resetPeak()
        let before = status("VmRSS")
        try body()
        guard canReset, let before, let peak = status("VmHWM") else { return nil }
        return max(0, peak - before)
    }

    /// The bytes of the process's own memory, without pages of files; nil where the kernel does not
    /// tell.
    static func ownBytes() -> Int? {
        measurement_return_free_memory()
        return status("RssAnon")
    }

    /// Makes the present resident set the peak; see proc(5) on `clear_refs`.
    private static func resetPeak() -> Bool {
        let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return write(descriptor, "5", 1) == 1
    }

    /// A field of `/proc/self/status`, in bytes.
    private static func status(_ field: String) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
            return nil
        }
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field + ":") })
        else { return nil }
        let number = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
        return number.flatMap { Int($0) }.map { $0 * 1_024 }
    }
}
