import Glibc

/// Tells addresses in the program and its libraries from others, without dereferencing them.
enum ImageAddress {
    /// Whether both addresses lie in one image. True if the system cannot tell.
    static func areInOneImage(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
        guard let known = base(of: b) else { return true }
        return base(of: a) == known
    }

    /// The start of the image that contains an address.
    private static func base(of address: UnsafeRawPointer) -> UnsafeRawPointer? {
        guard let find else { return nil }
        // `Dl_info`: the image's path and base, the symbol's name and address.
        var found: (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) = (
            nil, nil, nil, nil
        )
        return withUnsafeMutablePointer(to: &found) { find(address, $0) } == 0 ? nil : found.1
    }

    private typealias Find = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32

    /// glibc declares `dladdr` only with _GNU_SOURCE, which Swift's import of the headers does
    /// not define.
    private static let find: Find? = dlsym(nil, "dladdr").map { unsafeBitCast($0, to: Find.self) }
}
