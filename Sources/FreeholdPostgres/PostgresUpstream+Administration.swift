import Foundation
import FreeholdSharing

extension PostgresUpstream {
    /// Makes the schema and its tables, or does nothing if they are there.
    ///
    /// The user must be allowed to create a schema in the database and becomes the tables' owner,
    /// who may do everything with all realms. Others need grants. Where the schema is there, empty,
    /// the user must be allowed to create tables in it, and all roles to use it.
    ///
    /// - Throws: ``SharingError``, with `unsupportedVersion` for tables of a newer Freehold, and
    ///   `permissionDenied`.
    public func prepare() async throws {
        try await withSession { session in
            let version = try await session.run {
                [statements, schema] connection throws(ServerError) in
                try Schema(statements, name: schema).prepare(connection)
            }
            try Self.check(version: version)
        }
    }

    /// Lets a role, and all members of it, read a realm, or read and write.
    ///
    /// - Parameters:
    ///   - realm: Nil for all realms, later ones too; with `canWrite` also to create realms.
    ///   - role: `public` is everybody.
    ///   - canWrite: False takes the right to write away again.
    /// - Throws: ``SharingError``, with `unknownRealm`, `unfitName`, and `permissionDenied` for
    ///   users other than the owner of the tables.
    public func grant(_ realm: String?, to role: String, canWrite: Bool) async throws {
        if let realm { try RealmName.check(realm) }
        let isDone = try await withSession { session in
            try await session.run { [statements] connection throws(ServerError) in
                try connection.run(
                    statements.grant.with(.optionalText(realm), .name(role), .bool(canWrite)))[0]
                    .rowCount > 0
            }
        }
        guard isDone else {
            throw SharingError(
                .unknownRealm, "The server has no realm \"\(realm ?? "")\".",
                remedy: Self.unknownRealmRemedy)
        }
    }

    /// Takes back what ``grant(_:to:canWrite:)`` gave a role. Connections that are open lose it
    /// with their next call.
    ///
    /// - Throws: ``SharingError``.
    public func revoke(_ realm: String?, from role: String) async throws {
        if let realm { try RealmName.check(realm) }
        try await withSession { session in
            try await session.run { [statements] connection throws(ServerError) in
                _ = try connection.run(
                    statements.revoke.with(.optionalText(realm), .name(role)))
            }
        }
    }
}
