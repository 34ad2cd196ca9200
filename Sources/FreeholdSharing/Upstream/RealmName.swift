/// Which names realms can have.
package enum RealmName {
    /// The most bytes of UTF-8. Every upstream can look names of this length up.
    package static let mostBytes = 1024

    /// - Throws: ``SharingError`` with `unfitName` for a name that no realm can have.
    package static func check(_ name: String) throws(SharingError) {
        let fault: String
        if name.isEmpty {
            fault = "The name of the realm is empty."
        } else if name.utf8.contains(0) {
            fault = "The name of the realm has a zero byte."
        } else if name.utf8.count > mostBytes {
            fault = "The name of the realm has \(name.utf8.count) bytes."
        } else {
            return
        }
        throw SharingError(
            .unfitName, fault,
            remedy: "Give a name of 1 to \(mostBytes) bytes of UTF-8, without zero bytes.")
    }

    /// Whether two names are those of one realm. Texts that look alike may differ in their bytes,
    /// by which upstreams tell names apart.
    package static func areEqual(_ name: String, _ other: String) -> Bool {
        name.utf8.elementsEqual(other.utf8)
    }
}
