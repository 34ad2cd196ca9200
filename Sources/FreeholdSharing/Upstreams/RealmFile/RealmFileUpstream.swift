public import Foundation
public import Freehold

/// Realms that are shared through another realm file on this machine: for two programs with files
/// of their own, for a copy that is always up to date, and for tests.
///
/// ```swift
/// let upstream = RealmFileUpstream(URL(fileURLWithPath: "/backup/shop.realm"))
/// try await upstream.create("orders")
/// ```
///
/// The file holds the log and the snapshots, of any number of realms, not their objects. Give it
/// to nobody else: ``RealmFileUpstream`` alone writes to it. Processes hear of commits by the
/// file's change notifications.
///
/// Thread rule: any. Each connection has a serial queue of its own.
public struct RealmFileUpstream: Upstream {
    private let configuration: Realm.Configuration

    /// Makes an upstream in a file, which ``create(_:)`` makes if it is not there.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - encryptionKey: The key of the file, as ``Realm/Configuration/encryptionKey``.
    ///   - durability: Which pushes survive a power failure.
    public init(
        _ fileURL: URL, encryptionKey: Data? = nil, durability: Realm.Durability = .full
    ) {
        var configuration = Realm.Configuration(
            fileURL: fileURL, encryptionKey: encryptionKey, schemaVersion: 1,
            objectTypes: UpstreamFile.types)
        configuration.durability = durability
        self.configuration = configuration
    }

    public func create(_ realm: String) async throws {
        try RealmName.check(realm)
        let queue = RealmFileQueue(configuration)
        defer { queue.close() }
        try await queue.write { file in
            guard file.object(ofType: UpstreamFileRealm.self, forPrimaryKey: realm) == nil else {
                throw SharingError(
                    .nameTaken, "The file has a realm \"\(realm)\".",
                    remedy: "Take another name, or join the realm.")
            }
            let added = UpstreamFileRealm()
            added.name = realm
            added.number = (file.objects(UpstreamFileRealm.self).max(of: \.number) ?? 0) + 1
            file.add(added)
        }
    }

    public func connect(to realm: String, as client: UpstreamClient) async throws
        -> any UpstreamConnection
    {
        try RealmName.check(realm)
        let unknown = SharingError(
            .unknownRealm, "The file has no realm \"\(realm)\".",
            remedy: "See to the name, or create it: RealmFileUpstream.create(_:).")
        guard let path = configuration.fileURL?.path, FileManager.default.fileExists(atPath: path)
        else { throw unknown }
        let queue = RealmFileQueue(configuration)
        do {
            let number = try await queue.write { file in
                guard let found = file.object(ofType: UpstreamFileRealm.self, forPrimaryKey: realm)
                else { throw unknown }
                try file.enter(client, found)
                return found.number
            }
            return RealmFileConnection(queue, name: realm, realm: number, client: client)
        } catch {
            queue.close()
            throw error
        }
    }
}

extension Upstream where Self == RealmFileUpstream {
    /// Another realm file on this machine, as an argument: `.file(url)`.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - encryptionKey: The key of the file.
    public static func file(_ url: URL, encryptionKey: Data? = nil) -> Self {
        RealmFileUpstream(url, encryptionKey: encryptionKey)
    }
}

extension Realm {
    /// Makes a client known to a realm of an upstream's file.
    fileprivate func enter(_ client: UpstreamClient, _ realm: UpstreamFileRealm) throws {
        let key = UpstreamFileClient.key(realm.number, client.id)
        let known = object(ofType: UpstreamFileClient.self, forPrimaryKey: key)
        let entry = known ?? UpstreamFileClient()
        if known == nil {
            entry.key = key
        } else if let token = entry.token,
            token != client.previousToken, token != client.nextToken,
            !client.isAhead(ofEpoch: Int64(realm.epoch), head: Int64(realm.head))
        {
            throw SharingError(
                .copiedClient, "Another file with the id of this one has connected since.",
                remedy: SharingError.copiedClientRemedy,
                cause: "client \(client.id)")
        }
        entry.token = client.nextToken
        entry.name = client.name
        entry.seen = Date()
        if known == nil { add(entry) }
    }
}
