import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct ObjectIdTests {
    private let text = "0123456789abcdef01234567"

    @Test func zeroAndSize() {
        #expect(ObjectId().stringValue == "000000000000000000000000")
        #expect(
            MemoryLayout<ObjectId>.size == ObjectId.byteCount && MemoryLayout<ObjectId>.stride == 12
        )
    }

    @Test func textIsReadAndWritten() throws {
        #expect(try ObjectId(string: text).stringValue == text)
        #expect(try ObjectId(string: text.uppercased()).description == text)
        #expect(try ObjectId(string: text) == ObjectId("0123456789abcdef01234567"))
    }

    @Test(arguments: [
        "", "0123456789abcdef0123456", "0123456789abcdef012345678", "0123456789abcdefg1234567",
        "0123456789abcdef 1234567",
        "+123456789abcdef01234567", "0123456789abcdef0123456é",
    ])
    func malformedTextsThrow(text: String) throws {
        let error = try #require(throws: ValueFormatError.self) { try ObjectId(string: text) }
        #expect(error.message == "Invalid Object ID string '\(text)': must be 24 hex digits")
        #expect(error.text == text)
    }

    @Test func malformedLiteralsTrap() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = ObjectId("0123")
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("Invalid Object ID string '0123': must be 24 hex digits"))
    }

    @Test func bytesAreBigEndianAtAnyAlignment() throws {
        let id = try ObjectId(string: text)
        var bytes = [UInt8](repeating: 0xEE, count: 14)
        bytes.withUnsafeMutableBytes { id.unsafeStoreBytes(to: $0.baseAddress! + 1) }
        #expect(
            bytes == [
                0xEE, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0x01, 0x23, 0x45, 0x67, 0xEE,
            ])
        #expect(bytes.withUnsafeBytes { ObjectId(unsafeBytes: $0.baseAddress! + 1) } == id)
        #expect(id.words == (0x0123_4567, 0x89AB_CDEF, 0x0123_4567))
        #expect(ObjectId(words: id.words) == id)
    }

    @Test func orderIsTheOrderOfTheText() {
        var random = Seed.random()
        func word() -> UInt32 {
            [0, 1, .max, 0x8000_0000, 0x0100_0000, 0xFF].randomElement(using: &random)!
        }
        for _ in 0..<2_000 {
            let (lhs, rhs) = (
                ObjectId(words: (word(), word(), word())), ObjectId(words: (word(), word(), word()))
            )
            random.expect((lhs < rhs) == (lhs.stringValue < rhs.stringValue), "\(lhs) < \(rhs)")
            random.expect((lhs == rhs) == (lhs.stringValue == rhs.stringValue), "\(lhs) == \(rhs)")
        }
    }

    @Test func timestampIsTheFirstWord() throws {
        #expect(
            try ObjectId(string: "ffffffff0000000000000000").timestamp
                == Date(timeIntervalSince1970: 4_294_967_295))
        #expect(ObjectId().timestamp == Date(timeIntervalSince1970: 0))
        // The clock of seconds, which is up to some milliseconds behind the finer one.
        let before = Date(timeIntervalSince1970: TimeInterval(time(nil)))
        let id = ObjectId.generate()
        // The tests together make far fewer than 2^24, so the count carries into the time at
        // most once.
        #expect(before <= id.timestamp && id.timestamp <= Date() + 1)
    }

    @Test func partsGoToTheirPlaces() {
        let date = Date(timeIntervalSince1970: 1_000_000_000.9)
        let first = ObjectId(timestamp: date, machineId: 0x7AB_CDEF, processId: 0xF1234)
        let second = ObjectId(timestamp: date, machineId: 0x7AB_CDEF, processId: 0xF1234)
        #expect(first.stringValue.hasPrefix("3b9aca00abcdef1234"))
        #expect(second.stringValue.hasPrefix("3b9aca00abcdef1234"))
        #expect(first != second)
        #expect(
            ObjectId(timestamp: .distantPast, machineId: -1, processId: -1).stringValue.hasPrefix(
                "00000000ffffffffff"))
        #expect(
            ObjectId(timestamp: .distantFuture, machineId: 0, processId: 0).stringValue.hasPrefix(
                "ffffffff0000000000"))
        #expect(
            ObjectId(timestamp: Date(timeIntervalSince1970: .nan), machineId: 0, processId: 0).words
                .0 == 0)
    }

    @Test func identifiersOfOneProcessShareItsRandomPart() {
        let (first, second) = (ObjectId.generate().stringValue, ObjectId.generate().stringValue)
        #expect(first.dropFirst(8).prefix(10) == second.dropFirst(8).prefix(10))
    }

    @Test func identifiersOfManyThreadsDiffer() async {
        let batches = await withTaskGroup(of: [ObjectId].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<20_000).map { _ in .generate() } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for batch in batches {
            #expect(
                zip(batch, batch.dropFirst()).allSatisfy(<), "every thread's identifiers increase")
        }
        #expect(Set(batches.joined()).count == 160_000)
    }

    @Test func identifiersIncreaseWhenTheCountOverflowsAndTheClockIsSetBack() {
        let generator = ObjectIdGenerator(lastCount: ObjectIdGenerator.countMask - 3)
        var ids = (0..<6).map { _ in ObjectId(words: generator.next(seconds: 1_000)) }
        #expect(ids.map(\.words.0) == [1_000, 1_000, 1_000, 1_001, 1_001, 1_001])
        #expect(ids.map { $0.words.2 & 0xFF_FFFF } == [0xFF_FFFD, 0xFF_FFFE, 0xFF_FFFF, 0, 1, 2])
        ids.append(ObjectId(words: generator.next(seconds: 10)))
        #expect(ids[6].words.0 == 1_001)
        ids.append(ObjectId(words: generator.next(seconds: 5_000)))
        #expect(ids[7].words.0 == 5_000 && ids[7].words.2 & 0xFF_FFFF == 4)
        #expect(zip(ids, ids.dropFirst()).allSatisfy(<))
    }

    @Test func aForkedChildDrawsItsOwnRandomPart() throws {
        // Swift does not let `fork` be called by name.
        let address = try #require(dlsym(nil, "fork"))
        let fork = unsafeBitCast(address, to: (@convention(c) () -> pid_t).self)
        let parent = ObjectId.generate()
        var ends: [Int32] = [0, 0]
        try requireZero(pipe(&ends))
        let child = fork()
        if child == 0 {
            var id = ObjectId.generate()
            _ = write(ends[1], &id, ObjectId.byteCount)
            _exit(0)
        }
        let isForked = child > 0
        try #require(isForked)
        close(ends[1])
        var id = ObjectId()
        let count = read(ends[0], &id, ObjectId.byteCount)
        close(ends[0])
        var status: Int32 = 0
        #expect(waitpid(child, &status, 0) == child && status == 0)
        #expect(count == ObjectId.byteCount)
        #expect(
            id.stringValue.dropFirst(8).prefix(10) != parent.stringValue.dropFirst(8).prefix(10))
    }

    @Test func codableIsAString() throws {
        let id = ObjectId.generate()
        let data = try JSONEncoder().encode([id])
        #expect(String(decoding: data, as: UTF8.self) == #"["\#(id.stringValue)"]"#)
        #expect(try JSONDecoder().decode([ObjectId].self, from: data) == [id])
    }

    @Test func undecodableValuesThrow() {
        for json in [#"["x"]"#, "[1]", "[null]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([ObjectId].self, from: Data(json.utf8))
            }
        }
    }
}
