import CMeasurement
import Foundation

/// Which pages of a file the kernel keeps in memory. Exact only while nothing else reads it.
enum PagesInMemory {
    /// Runs `body`, meanwhile making `pread`, and new maps of files, read no neighbours of the
    /// pages that are asked for.
    static func withoutReadingAhead<Result>(_ body: () throws -> Result) rethrows -> Result {
        measurement_read_single_pages(true)
        defer { measurement_read_single_pages(false) }
        return try body()
    }

    /// Removes a file's pages from memory. Nothing may map it.
    static func drop(_ file: URL) throws {
        try StoreFiles.sync(file)
        try check(measurement_drop_pages(file.path))
        let left = try count(of: file)
        if left != 0 { throw CocoaError(.featureUnsupported) }
    }

    static func count(of file: URL) throws -> Int {
        let count = measurement_pages_in_memory(file.path)
        try check(count)
        return count
    }

    private static func check(_ result: Int) throws {
        if result < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
