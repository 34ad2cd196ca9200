/// The offsets in bytes of the fields that are read from a class's metadata. Kind, superclass,
/// flags and address point come before them. See ``RuntimeCheck``.
enum ClassMetadataLayout {
    static let instanceSize = 24
    static let alignmentMask = 28
    static let descriptor = 40
}
