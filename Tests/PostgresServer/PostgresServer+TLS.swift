package import Foundation

extension PostgresServer {
    /// Makes a certificate that signs itself, and returns its file.
    package func makeCertificate(_ name: String, host: String) async throws -> URL {
        let certificate = directory.appendingPathComponent("\(name).crt")
        let key = directory.appendingPathComponent("\(name).key")
        try await onThread {
            try ServerFiles.runCommand([
                "/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)", "-keyout",
                key.path, "-out", certificate.path,
            ])
            try ServerFiles.giveAway(key.path)
        }
        return certificate
    }

    /// Has the server take TLS connections, and returns its certificate's file.
    package func enableTLS(host: String) async throws -> URL {
        let certificate = try await makeCertificate("server", host: host)
        await stop()
        try configure([
            "ssl": "on", "ssl_cert_file": certificate.path,
            "ssl_key_file": directory.appendingPathComponent("server.key").path,
        ])
        try await start()
        return certificate
    }
}
