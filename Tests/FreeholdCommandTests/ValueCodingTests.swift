import Foundation
import Freehold
import FreeholdImport
import FreeholdInspection
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Values as JSON, and back as the same bits.
@Suite struct ValueCodingTests {
    private func parse(_ json: JSONBytes) throws -> JSONDocument {
        try JSONParser.parse(Data(json.bytes))
    }

    private func decoder() -> ValueDecoder { ValueDecoder(Catalog()) { _, _, _ in nil } }

    private func readBack(_ json: JSONBytes, _ type: ColumnType) throws -> ScanValue? {
        let document = try parse(json)
        return decoder().scalar(document[document.root], type)
    }

    @Test func doubles() throws {
        var random = Seed.random()
        for _ in 0..<2000 {
            let value = random.double()
            var json = JSONBytes()
            ScalarText.append(value, to: &json)
            guard case .double(let read)? = try readBack(json, .double) else {
                Issue.record("\(json.text) is no double")
                continue
            }
            random.expect(read.bitPattern == value.bitPattern, "\(value) reads back as \(read)")
        }
    }

    @Test func floats() throws {
        var random = Seed.random()
        for _ in 0..<2000 {
            let value = random.float()
            var json = JSONBytes()
            ScalarText.append(value, to: &json)
            guard case .float(let read)? = try readBack(json, .float) else {
                Issue.record("\(json.text) is no float")
                continue
            }
            random.expect(read.bitPattern == value.bitPattern, "\(value) reads back as \(read)")
        }
    }

    @Test func dates() throws {
        var random = Seed.random()
        for _ in 0..<2000 {
            let value = random.date().timeIntervalSinceReferenceDate
            var json = JSONBytes()
            ScalarText.appendDate(value, to: &json)
            guard case .double(let read)? = try readBack(json, .timestamp) else {
                Issue.record("\(json.text) is no date")
                continue
            }
            random.expect(
                read.bitPattern == value.bitPattern, "\(value), \(json.text), reads as \(read)")
        }
    }

    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.500Z"),
        (-1, "2000-12-31T23:59:59Z"), (730_900_800, "2024-02-29T12:00:00Z"),
        (-978_307_200, "1970-01-01T00:00:00Z"), (1e-6, "2001-01-01T00:00:00.000001000Z"),
    ]) func dateTexts(seconds: Double, text: String) {
        // Six decimals are shown with the fewest that are exact.
        let shown = ScalarText.dateText(seconds)
        #expect(shown == text || shown == text.replacing("000Z", with: "Z"))
    }

    /// Every day of centuries, against Foundation.
    @Test func days() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for day in stride(from: -150_000, to: 150_000, by: 37) {
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            guard let year = parts.year, let month = parts.month, let number = parts.day,
                // Foundation changes to the Julian calendar before.
                year > 1582
            else { continue }
            let text = ScalarText.dateText(Double(day) * 86_400)?.prefix(10)
            let digits = [year, month, number].map { ($0 < 10 ? "0" : "") + String($0) }
            if text.map(String.init) != digits.joined(separator: "-") {
                Issue.record("\(digits) is \(text ?? "nil")")
            }
        }
    }

    @Test func decimals() throws {
        var random = Seed.random()
        let patterns: [(UInt64, UInt64)] = (0..<500).map { _ in (random.next(), random.next()) }
        let values = (0..<500).map { _ in random.number() }.map { ($0.lowBits, $0.highBits) }
        for (low, high) in patterns + values {
            let text = ScalarText.decimalText(low, high)
            let read = try #require(ScalarText.decimal(text))
            random.expect(read == (low, high), "\(text) reads back as \(read)")
        }
    }

    @Test func identifiers() throws {
        var random = Seed.random()
        for _ in 0..<200 {
            let (id, uuid) = (random.objectId(), random.uuid())
            let fixed = try #require(ScalarText.fixed(id.stringValue, .fixed12))
            #expect(ScalarText.text(of: fixed) == id.stringValue)
            let other = try #require(ScalarText.fixed(uuid.uuidString, .fixed16))
            #expect(ScalarText.text(of: other) == uuid.uuidString)
        }
    }

    @Test func texts() throws {
        var random = Seed.random()
        for _ in 0..<1000 {
            let text = random.text()
            var json = JSONBytes()
            json.append(quoted: text)
            guard case .text(let read)? = try readBack(json, .text) else {
                Issue.record("\(json.text) is no text")
                continue
            }
            random.expect(read == Array(text.utf8), "\(json.text) reads back as another text")
            // Others can read it, too.
            let object = try JSONSerialization.jsonObject(
                with: Data(json.bytes), options: .fragmentsAllowed)
            random.expect(
                (object as? String).map { Array($0.utf8) } == Array(text.utf8),
                "Foundation reads \(json.text)")
        }
    }

    @Test(arguments: [
        ("1", "an integer"), ("true", "true or false"), ("\"x\"", "a text in quotes"),
    ]) func expectations(json: String, expected: String) throws {
        let types: [ColumnType] = [.integer, .boolean, .text]
        let document = try JSONParser.parse(Data(json.utf8))
        let value = document[document.root]
        for type in types {
            let fits = ValueDecoder.expectation(of: type) == expected
            #expect((decoder().scalar(value, type) != nil) == fits)
        }
    }
}
