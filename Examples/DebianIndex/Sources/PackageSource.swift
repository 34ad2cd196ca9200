/// A file that lists packages.
public struct PackageSource: Sendable, Hashable {
    /// Where the file comes from.
    public enum Origin: String, Sendable, Codable {
        /// An index that `apt-get update` keeps: packages that can be installed.
        case aptList = "apt list"
        /// dpkg's record of the packages that are installed.
        case dpkgStatus = "dpkg status"
        /// A file that the caller named.
        case file
    }

    public var path: String
    public var origin: Origin

    public init(path: String, origin: Origin) {
        self.path = path
        self.origin = origin
    }

    /// Endings of the compressed forms that apt writes.
    static let compressedEndings = [".lz4", ".xz", ".gz", ".bz2", ".zst", ".lzma"]

    /// Whether the file's bytes must go through its `decompressor`. The file's ending decides, as
    /// in apt.
    public var isCompressed: Bool {
        Self.compressedEndings.contains { path.hasSuffix($0) }
    }
}
