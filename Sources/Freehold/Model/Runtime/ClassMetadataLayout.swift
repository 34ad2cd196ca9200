/// Where a class's metadata keeps what is read of it, in bytes: kind, superclass, flags and
/// address point come before. See ``RuntimeCheck``.
enum ClassMetadataLayout {
    static let instanceSize = 24
    static let alignmentMask = 28
    static let descriptor = 40
}
