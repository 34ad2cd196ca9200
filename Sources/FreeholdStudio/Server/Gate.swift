import FlyingFox
import Foundation

/// Decides who is answered. Nothing but the entrance is, without the session's cookie.
///
/// - The server listens on 127.0.0.1, so other machines do not reach it.
/// - A page elsewhere whose name resolves to 127.0.0.1 (DNS rebinding) has another `Host`.
/// - A page elsewhere that sends requests here has another `Origin`, and its requests lack the
///   cookie, which is `SameSite=Strict`.
/// - Another user of this machine lacks the token, which only the terminal shows.
struct Gate: Sendable {
    /// In the address that the terminal shows.
    let token = Gate.random()
    /// The value of the cookie. The token is never stored by the browser's cookies.
    private let session = Gate.random()
    let port: UInt16

    enum Verdict: Equatable {
        case admitted
        /// Comes with the token, and gets the cookie.
        case entering
        case refused(Int, String)
    }

    init(port: UInt16) { self.port = port }

    /// 256 random bits, as a text for addresses.
    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Cookies are shared by all ports of a host, so the name has the port.
    private var cookieName: String { "freehold-\(port)" }

    var cookie: String {
        "\(cookieName)=\(session); Path=/; HttpOnly; SameSite=Strict"
    }

    func judge(_ request: HTTPRequest) -> Verdict {
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = request.headers[.host], hosts.contains(host) else {
            return .refused(421, "This server answers to \(hosts[0]) only.")
        }
        if let origin = request.headers[HTTPHeader("Origin")], origin != "http://\(host)" {
            return .refused(403, "Another page sent this request.")
        }
        let site = request.headers[HTTPHeader("Sec-Fetch-Site")]
        let isEntrance = request.method == .GET && request.path == "/"
        if let site, site != "same-origin", !(isEntrance && site != "cross-site") {
            return .refused(403, "Another page sent this request.")
        }
        if isEntrance, let given = request.query.first(where: { $0.name == "token" })?.value {
            return Gate.isSame(given, token)
                ? .entering : .refused(401, "This address has expired: its token is not known.")
        }
        guard let given = cookieValue(request), Gate.isSame(given, session) else {
            return .refused(
                401, "Open the address that the terminal shows. It has the token that is needed.")
        }
        if request.method != .GET, request.headers[HTTPHeader("Origin")] == nil {
            return .refused(403, "A request that changes something must name its origin.")
        }
        return .admitted
    }

    private func cookieValue(_ request: HTTPRequest) -> String? {
        for part in (request.headers[HTTPHeader("Cookie")] ?? "").split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces) == cookieName {
                return pair[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }

    /// Compares in a time that does not depend on where the texts differ.
    private static func isSame(_ a: String, _ b: String) -> Bool {
        let (first, second) = (Array(a.utf8), Array(b.utf8))
        guard first.count == second.count else { return false }
        return zip(first, second).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
