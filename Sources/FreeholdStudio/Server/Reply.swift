import FlyingFox
import Foundation
import FreeholdInspection

/// Makes responses, all with the headers that keep the page to itself.
enum Reply {
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    static func headers(_ type: String) -> HTTPHeaders {
        [
            .contentType: type,
            HTTPHeader("Content-Security-Policy"): policy,
            HTTPHeader("X-Content-Type-Options"): "nosniff",
            HTTPHeader("X-Frame-Options"): "DENY",
            HTTPHeader("Referrer-Policy"): "no-referrer",
            HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
            HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
            HTTPHeader("Cache-Control"): "no-store",
        ]
    }

    static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: phrase(status)),
            headers: headers("text/plain; charset=utf-8"), body: Data((text + "\n").utf8))
    }

    static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: phrase(status)),
            headers: headers("application/json"), body: Data(bytes))
    }

    static func json(_ value: some Encodable, status: Int = 200) throws -> HTTPResponse {
        json(try encoded(value), status: status)
    }

    static func encoded(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return [UInt8](try encoder.encode(value))
    }

    static func stream(
        _ type: String, _ chunks: Chunks, name: String? = nil
    ) -> HTTPResponse {
        var headers = headers(type)
        if let name {
            // Names of classes and files may have any characters.
            let plain = String(
                name.map {
                    $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) ? $0 : "_"
                }
            )
            headers[HTTPHeader("Content-Disposition")] = "attachment; filename=\"\(plain)\""
        }
        return HTTPResponse(
            statusCode: .ok, headers: headers, body: HTTPBodySequence(from: chunks))
    }

    private static func phrase(_ status: Int) -> String {
        [
            200: "OK", 303: "See Other", 400: "Bad Request", 401: "Unauthorized",
            403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 409: "Conflict",
            413: "Content Too Large", 421: "Misdirected Request", 422: "Unprocessable Content",
            500: "Internal Server Error",
        ][status] ?? "Status"
    }
}

/// Why a request is answered with an error.
struct RequestError: Error {
    let status: Int
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    static func missing(_ name: String) -> RequestError {
        RequestError(400, "The parameter '\(name)' is missing or wrong.")
    }
}
