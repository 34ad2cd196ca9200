import Foundation
import Testing

/// The answer to a request that is written byte by byte: URLSession would not send a wrong `Host`,
/// or what is no HTTP.
struct RawReply {
    var status = 0
    /// By their names in lower case.
    var headers: [String: String] = [:]
    var body = Data()

    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    }

    static func of(
        _ method: String, _ target: String, port: UInt16, headers: [String: String], body: Data?,
        finishesSending: Bool = true
    ) throws -> RawReply {
        var all = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
        all.merge(headers) { _, given in given }
        if let body { all["Content-Length"] = "\(body.count)" }
        var request = Data("\(method) \(target) HTTP/1.1\r\n".utf8)
        for (name, value) in all { request += Data("\(name): \(value)\r\n".utf8) }
        request += Data("\r\n".utf8) + (body ?? Data())
        return RawReply(
            parsing: try exchange(request, port: port, finishesSending: finishesSending))
    }

    /// Sends bytes, and returns all that comes back until the other side closes.
    static func exchange(_ request: Data, port: UInt16, finishesSending: Bool = true) throws -> Data
    {
        let connection = try Connection(port: port)
        connection.send(request)
        if finishesSending { connection.finishSending() }
        var answer = Data()
        while let part = connection.receive() {
            answer += part
            // The driver of browsers keeps connections open.
            if !finishesSending, RawReply(parsing: answer).isWhole { break }
        }
        return answer
    }

    /// Whether the body is as long as the head says.
    private var isWhole: Bool {
        headers["content-length"].flatMap { Int($0) }.map { body.count >= $0 } ?? false
    }

    init(parsing bytes: Data) {
        let end = Data("\r\n\r\n".utf8)
        guard let gap = bytes.range(of: end) else { return }
        let head = String(decoding: bytes[..<gap.lowerBound], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 {
                headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        body = Data(bytes[gap.upperBound...])
        if headers["transfer-encoding"] == "chunked" { body = Self.unchunked(body) }
    }

    private static func unchunked(_ body: Data) -> Data {
        var (rest, whole) = (body, Data())
        let line = Data("\r\n".utf8)
        while let end = rest.range(of: line),
            let count = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16),
            count > 0, rest.distance(from: end.upperBound, to: rest.endIndex) >= count
        {
            whole += rest[end.upperBound..<(end.upperBound + count)]
            rest = Data(rest[(end.upperBound + count)...].dropFirst(2))
        }
        return whole
    }
}

/// A connection to the loopback interface.
final class Connection {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        try #require(result == 0, "errno \(errno)")
        // An answer that never comes fails the test instead of stopping it.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ bytes: Data) {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
                if count <= 0 { return }
                sent += count
            }
        }
    }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Some bytes; nil at the end.
    func receive() -> Data? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes[..<count]) : nil
    }

    /// Receives until the bytes so far satisfy a condition. Returns nil if they end before.
    func receive(until isEnough: (Data) -> Bool) -> Data? {
        var all = Data()
        while let part = receive() {
            all += part
            if isEnough(all) { return all }
        }
        return nil
    }
}
