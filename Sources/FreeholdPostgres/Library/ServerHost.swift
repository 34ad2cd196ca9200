import CPostgres
import Foundation

/// One of the hosts of an address, or one of the addresses of that host.
struct ServerHost: Sendable, Hashable {
    /// A name, an address, or the directory of a socket; nil for the library's own.
    var name: String?
    /// Where the host is; nil for the place that its name tells.
    var address: String?
    var port: String?

    /// What the library calls them.
    static let keywords = ["host", "hostaddr", "port"]

    /// For `PQconnectStartParams`. The name stays beside the address: certificates and the file of
    /// passwords are of names.
    var keywords: [(name: String, value: String)] {
        zip(Self.keywords, [name, address, port]).compactMap { keyword, value in
            value.map { (keyword, $0) }
        }
    }

    /// For messages.
    var description: String {
        let place = address == name ? nil : address
        let names = [name, place].compactMap(\.self).joined(separator: " at ")
        return (names.isEmpty ? "the local socket" : names) + (port.map { ", port \($0)" } ?? "")
    }

    /// The hosts of lists that are divided by commas. As in libpq a port alone is of all hosts.
    static func hosts(
        names: String?, addresses: String?, ports: String?
    ) throws(ServerError) -> [ServerHost] {
        func list(_ text: String?) -> [String] {
            text?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        }
        let (names, addresses, ports) = (list(names), list(addresses), list(ports))
        let count = max(names.count, addresses.count, 1)
        guard names.isEmpty || addresses.isEmpty || names.count == addresses.count else {
            throw ServerError(
                .address,
                message: "The address has \(names.count) hosts and \(addresses.count) hostaddrs.")
        }
        guard ports.count <= 1 || ports.count == count else {
            throw ServerError(
                .address, message: "The address has \(count) hosts and \(ports.count) ports.")
        }
        func value(_ values: [String], _ index: Int) -> String? {
            let value = values.count == 1 ? values[0] : values.isEmpty ? "" : values[index]
            return value.isEmpty ? nil : value
        }
        return (0..<count).map { index in
            ServerHost(
                name: value(names, index), address: value(addresses, index),
                port: value(ports, index))
        }
    }

    /// The host once for each address to which its name resolves.
    ///
    /// libpq tries them, too, but all in the time of one: a silent address would leave none to the
    /// next. Where the name resolves to nothing the host stays as it is: libpq tells why. Blocks,
    /// as libpq does.
    func resolved(by resolve: (String) -> [String] = ServerHost.addresses(of:)) -> [ServerHost] {
        guard address == nil, let name, !name.hasPrefix("/"), !name.hasPrefix("@") else {
            return [self]
        }
        let addresses = resolve(name)
        if addresses.isEmpty { return [self] }
        return addresses.map { ServerHost(name: name, address: $0, port: port) }
    }

    /// The addresses of a name in the order of preference, as numbers.
    static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [String] = []
        var next = found
        while let info = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let result = getnameinfo(
                info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0,
                Int32(NI_NUMERICHOST))
            if result == 0 {
                let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
                addresses.append(String(decoding: bytes, as: UTF8.self))
            }
            next = info.ai_next
        }
        return addresses
    }
}
