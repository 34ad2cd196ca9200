import Foundation

extension PackageSource {
    /// The best source of packages on this machine: apt's lists if there are any, else dpkg's
    /// status file, else nothing. Lists are in the order of their names.
    ///
    /// `root` is the directory to use as `/`. Throws `IndexError` if an existing directory cannot
    /// be read.
    public static func discover(root: String = "/") throws(IndexError) -> [PackageSource] {
        let base = root.hasSuffix("/") ? root : root + "/"
        let lists = try aptLists(in: base + "var/lib/apt/lists")
        if !lists.isEmpty { return lists }
        let status = base + "var/lib/dpkg/status"
        return FileManager.default.fileExists(atPath: status)
            ? [PackageSource(path: status, origin: .dpkgStatus)] : []
    }

    /// apt's package lists in a directory. If a list exists plain and compressed, the plain one
    /// counts.
    private static func aptLists(in directory: String) throws(IndexError) -> [PackageSource] {
        guard FileManager.default.fileExists(atPath: directory) else { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            throw IndexError(
                code: .unreadable,
                message:
                    """
                    The directory of apt's lists cannot be read. Check its permissions, or \
                    name files with --source.
                    """,
                path: directory,
                cause: error
            )
        }
        // Plain names sort before their compressed forms, so the first of each stem is the right
        // one.
        var stems: Set<String> = []
        return names.sorted().compactMap { name in
            let ending = compressedEndings.first { name.hasSuffix($0) } ?? ""
            let stem = String(name.dropLast(ending.count))
            guard stem.hasSuffix("_Packages"), stems.insert(stem).inserted else { return nil }
            return PackageSource(path: "\(directory)/\(name)", origin: .aptList)
        }
    }
}
