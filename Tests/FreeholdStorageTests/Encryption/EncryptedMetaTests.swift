import FreeholdTestSupport
import Testing

@testable import FreeholdStorage

/// The database that also has the format record, in an encrypted file: emptying it leaves that
/// record.
@Suite("Environment: encrypted facts") struct EncryptedMetaTests {
    @Test func emptyingKeepsTheFormat() throws {
        let directory = try TemporaryDirectory()
        let options = Environment.Options(directory.file("a.realm")) {
            $0.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
        }
        do {
            let environment = try Environment.open(options)
            try environment.writer.begin().commit { transaction in
                for index in 0..<50 { try transaction.put("key \(index)", "value", in: .meta) }
            }
            try environment.writer.begin().commit { transaction in
                try transaction.deleteAll(.meta)
                try transaction.put("last", "value", in: .meta)
            }
        }
        let view = try Environment.open(options).read()
        #expect(try view.entries(.meta).map { String(decoding: $0.key, as: UTF8.self) } == ["last"])
        #expect(try view.encryptionProblems() == [])
    }
}
