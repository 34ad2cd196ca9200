import Foundation

/// What the engines do with whole files.
enum StoreFiles {
    /// Copies a file of an idle store and waits until the copy is on disk, so that the first
    /// commit of a sample does not sync the copy too.
    static func copy(_ source: URL, to destination: URL) throws {
        try FileManager.default.copyItem(at: source, to: destination)
        try sync(destination)
    }

    /// Waits until a file's bytes are on disk.
    static func sync(_ file: URL) throws {
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        try handle.synchronize()
    }

    /// Lets the kernel forget the pages of a file that nobody has open, so that the next reader
    /// reads them from the disk.
    static func forgetPages(of file: URL) throws {
        try sync(file)
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        posix_fadvise(handle.fileDescriptor, 0, 0, POSIX_FADV_DONTNEED)
    }

    /// Makes an empty folder; one that is there already is removed first.
    static func makeEmptyFolder(_ folder: URL) throws {
        if FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder)
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Runs `body` with an empty folder below `parent` that exists only meanwhile.
    static func withScratchFolder<Result>(in parent: URL, _ body: (URL) throws -> Result) throws
        -> Result
    {
        let folder = parent.appendingPathComponent("scratch")
        try makeEmptyFolder(folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// The length of a file, or of all files in a folder and below: the store with its side files.
    static func size(of folder: URL) throws -> Int {
        let own = try FileManager.default.attributesOfItem(atPath: folder.path)
        if own[.type] as? FileAttributeType == .typeRegular { return own[.size] as? Int ?? 0 }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.reduce(0) { total, path in
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.appendingPathComponent(path).path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return total }
            return total + (attributes[.size] as? Int ?? 0)
        }
    }
}
