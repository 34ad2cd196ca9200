/// Refuses what libpq divides otherwise than its author means. A part of a password would be taken
/// for a host, a port or a database, and printed: these messages repeat nothing of the address.
extension ServerAddress {
    /// Refuses a URL with an "@" behind the one that ends the credentials for libpq: the first, if
    /// no "/" is before it.
    static func checkDelimiters(of url: String) throws(ServerError) {
        let bytes = url.utf8
        guard
            let scheme = ["postgresql://", "postgres://"].first(where: {
                bytes.starts(with: $0.utf8)
            })
        else { return }
        var rest = bytes.dropFirst(scheme.utf8.count)
        let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "@") || byte == UInt8(ascii: "/") }
        if let end = rest.firstIndex(where: isEnd), rest[end] == UInt8(ascii: "@") {
            rest = rest[bytes.index(after: end)...]
        }
        guard rest.prefix(while: { $0 != UInt8(ascii: "?") }).contains(UInt8(ascii: "@")) else {
            return
        }
        throw isUnclear("has an \"@\" too many")
    }

    static func check(port: String?, database: String?) throws(ServerError) {
        let ports = port?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        let areNumbers = ports.allSatisfy { port in
            let digits = port.filter { !$0.isWhitespace }
            return digits.isEmpty || UInt16(digits).map { $0 > 0 } == true
        }
        guard areNumbers else { throw isUnclear("has a port that is no number from 1 to 65535") }
        if database?.contains("://") == true { throw isUnclear("has a URL as the database's name") }
    }

    static func isUnclear(_ what: String) -> ServerError {
        ServerError(
            .address,
            message: """
                The address \(what). In the user and the password of a URL write %40 for "@", \
                %2F for "/", %3A for ":", %3F for "?" and %25 for "%".
                """)
    }
}
