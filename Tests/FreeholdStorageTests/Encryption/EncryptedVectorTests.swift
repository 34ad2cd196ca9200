import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// A small encrypted file whose records another implementation made by the documents, with
/// fixed keys and nonces: `Tests/Encryption/make-vectors.py`.
@Suite struct EncryptedVectorTests {
    private static let key = EncryptionKey((0..<64).map { UInt8($0) })

    private static let format = bytes(
        """
        46524545484f4c4401000a8002000000a0a1a2a3a4a5a6a7a8a9aaabacadaeaf4041424344454647\
        48494a4b4c4d4e4f505152535455565758595a5b5c5d5e5feeeeeeeeeeeeeeeeeeeeeeeeb76a0fea\
        00bac1c310bd51cf36954655393b07f28ee280125dc346cb19535d7a170355c5d10b8620f9b8e138\
        cfa5682ec998d0af8ab18075103b2e7c2c810de0ef6f220b1a79f74c2916cbe3f052d9207a4b95a3\
        eca4b4d5
        """)

    private static let roots = bytes(
        """
        20202020202020202020202020202020030303030303030303030303a0fb2c573dc163c3eede8b8e\
        395f44f5d6a420394f0ccdc4417d6565f38d16440ac050e6525527570584b232445cc5b2300c76a7\
        2a20e3c4512769ea68ccfb7220b76bb3aef364ff5825289a804d1a1ae3901d5b26c8231e6eb72577\
        f5e0528a4f40308817062d295116edbb243ffc437cdd1ef83b91b644977f8e93cab91348c2664c5a\
        c0986c715f37ae348e771682331e893b0bee1c83eab9b2437d6628ba6e735fa502589a8712f1350b\
        128533ee6e370bd8bbfa5c2c09c7d74cc154bbabc38bec876c146eabc289615b7bf3cfc446b574d0\
        d52c45a99a832fe4d5f03205b9786ac05b63d02e6f6ca6d5da81045ef15ac9795b63892253c82dc0\
        48f968d095167d0da3f9a16bb41849bef8e8e691e3d4bf2f45aeaa75525e952fdf15f6301406020f\
        dfae274f8c84bfc2a7ebfc28ec0fce54304a0b3589d9a3d2c082186f748fcbd18e0ade5300721c27\
        9f1a33ee79aff8ccb1264fbba9441f962153cdf1
        """)

    private static let leaf = bytes(
        """
        02020202020202020202020229bda4d299fecf4efb9ca5e62bafe3674f8a5e7026b234acc6e57305\
        e3f0f42c050e9ee73045211d5dfb738a65979ed0835ff75996555df6cc3b8c6fb78b80199e1212c7\
        51ece3180e1f2ded14e5f4f0d6e50efd10a7d54a
        """)

    private static let value = bytes(
        """
        0101010101010101010101018daca19a990b55e94c5271e31d68cdba18cf49cb424cd86db2635cb4\
        91b4d567bcdf0edd2406ae88cae668e1d3e4b99fccfe65552fea85255db67daaa25df7cf8ae40fc6\
        917a84ad917ecf150e4994033e3eca9ca88afada062d9441cc05f42090b71a1d7cfcaa9f7a9b284c\
        c687daa075eb067cdd5b29cb954f997a7566d5d7f93f6f7f372bb9c3c0eaf281f6b2aee080ebe27d\
        f475bd1ee07d4b1ba0603dc7077c1a158e81a56a6c3fd4d9db4913066c646c08de811ab8355139f2\
        c3f8cec52abfbc903fa372441bc79593d9b8be279a0c2d58a4a3aeb3a3e36f1e4e655c51ae519559\
        8e87e9ffba4fab98b92f27e37046db95b9b65013b006f44ac36ff90299c94a6d4fe4cbea65edd82b\
        7ec4ee12557369ed779ad1156a23b78f77a9df3ce006dd1c576ed783b73c2f0a08a35048ec7e38d2\
        83c85e5b5d6174efb6e890fe89f9ea82b1a41363ad4ddadf24aaf3b758478ec5a888a55905a6748a\
        96e26fba98962808f6e55e0e7b107dc4cb99386cde3abbf9e47a75af7bac8ec3205f3dc7f4dd435a\
        482151111d80896e6f0ee8409e8b1d0442eefdde91cd230fbcee0af7256ac79dd9c89b878b2edf79\
        6e3e795b0bc052882bd04c93a610af21f31df51ccf179cfbc365f99c8bc7804aa626bb76f6937b8d\
        bc85780b34851f490272c2c5488aa87d0a73fb720ee5c573c9aac67431964db2620b39d02beff473\
        d4d54eb6b6347e3f03f07c891941fb0d31377ac5
        """)

    private static let long = (0..<300).map { UInt8($0 % 251) }

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
        }
    }

    private static func number(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// A file with the given records, in the place of those that it was made with.
    private static func makeFile(
        _ directory: TemporaryDirectory, format: [UInt8] = format, roots: [UInt8] = roots
    ) throws -> Environment.Options {
        let options = Environment.Options(directory.file("vector.freehold")) {
            $0.encryptionKey = key
        }
        do { _ = try Environment.open(options) }
        try RawLMDB.set(options.path, "meta", Array("format".utf8), format)
        try RawLMDB.set(options.path, nil, Array("roots".utf8), roots)
        try RawLMDB.set(options.path, "clusters", number(1), leaf)
        try RawLMDB.set(options.path, "clusters", number(1 << 20 | 5), value)
        return options
    }

    @Test func whatAnotherImplementationMadeIsRead() throws {
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(try Self.makeFile(directory))
        #expect(environment.uuid.description == "a7a6a5a4a3a2a1a0afaeadacabaaa9a8")
        let view = try environment.read()
        #expect(try view.text("a") == "short")
        #expect(try view.bytes("b") == Self.long)
        #expect(try view.encryptionProblems() == [])
        let written = try environment.put("c", "written")
        #expect(try written.bytes("b") == Self.long && written.text("c") == "written")
        #expect(try written.encryptionProblems() == [])
    }

    /// The identifier and all else that stands before the file key is bound to it: with a right
    /// checksum, too.
    @Test func theFileKeyBelongsToItsRecord() throws {
        let directory = try TemporaryDirectory()
        for index in stride(from: 13, to: 156, by: 3) {
            var record = Self.format
            record[index] ^= 1
            let options = try Self.makeFile(directory, format: Self.withChecksum(record))
            let code = storageCode { try Environment.open(options) }
            // The word at 12 says how the file is encrypted.
            #expect(code == (index < 16 ? .corrupted : .encryptionKeyWrong), "\(index)")
            for name in directory.names {
                try FileManager.default.removeItem(atPath: directory.file(name))
            }
        }
    }

    private static func withChecksum(_ record: [UInt8]) -> [UInt8] {
        let checksum = record[..<156].withUnsafeBytes { Checksum.xxh64($0) }
        return record[..<156] + withUnsafeBytes(of: checksum.littleEndian) { Array($0) }
    }
}
