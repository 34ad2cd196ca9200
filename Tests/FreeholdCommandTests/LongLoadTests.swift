import Foundation
import Freehold
import FreeholdInspection
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// `load` of more than one transaction.
@Suite struct LongLoadTests {
    private static let batch = 20_000

    private func makers(_ numbers: Range<Int>, wrong: Int? = nil) -> String {
        numbers.map { number in
            number == wrong
                ? "{\"$class\":\"Shop_Maker\",\"id\":\"x\"}\n"
                : "{\"$class\":\"Shop_Maker\",\"id\":\(number),\"name\":\"maker \(number)\"}\n"
        }.joined()
    }

    @Test func goesOnAfterAFailure() throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        try Shop.make(desk, "b.realm") { Shop.fillSimply($0) }
        let (a, b) = (desk.path("a.realm"), desk.path("b.realm"))
        let count = 2 * Self.batch + 500
        let wrong = try desk.write(
            makers(0..<count, wrong: 2 * Self.batch + 44), to: "wrong.jsonl")
        let right = try desk.write(makers(0..<count), to: "right.jsonl")
        let failed = try desk.run("load", wrong, a)
        #expect(failed.status == 2)
        #expect(failed.errors.contains("line \(2 * Self.batch + 45)"), "\(failed.errors)")
        #expect(failed.errors.contains("--from-line \(2 * Self.batch + 1)"), "\(failed.errors)")
        #expect(try desk.run("count", a, "Shop_Maker").output == "40,000\n")
        let rest = try desk.run("load", right, a, "--from-line", "\(2 * Self.batch + 1)")
        #expect(rest.output.contains("500 objects added"), "\(rest.output)\(rest.errors)")
        // Objects with primary keys may come twice.
        #expect(try desk.run("load", right, a).status == 0)
        #expect(try desk.run("load", right, b, "--one-transaction").status == 0)
        #expect(try desk.run("diff", a, b).output == "equal\n")
        let whole = try desk.write(
            makers(count..<(2 * count), wrong: 2 * count - 1), to: "whole.jsonl")
        #expect(try desk.run("load", whole, b, "--one-transaction").status == 2)
        #expect(try desk.run("diff", a, b).output == "equal\n")
        #expect(try desk.run("check", a).status == 0)
        desk.delete()
    }

    /// Control-C says how far the load came, and leaves whole transactions.
    @Test func stopsBetweenObjects() throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        let process = Command.process(["load", "-", desk.path("a.realm")] + desk.keyOptions)
        let (input, errors) = (Pipe(), Pipe())
        process.standardInput = .pipe(input)
        process.standardError = .pipe(errors)
        process.standardOutput = .null
        Terminal.ignoreBrokenPipes()
        try process.run()
        let lines = input.fileHandleForWriting
        try lines.write(contentsOf: Data(makers(0..<(Self.batch + 10_000)).utf8))
        // What waits in the pipe and its buffer is less than half of a transaction.
        process.signal(SIGINT)
        var number = 1_000_000
        while process.isRunning {
            try? lines.write(contentsOf: Data(makers(number..<number + 1).utf8))
            number += 1
        }
        process.waitUntilExit()
        #expect(process.hasReturned && process.terminationStatus == 2)
        let text = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.contains("Interrupted"), "\(text)")
        #expect(text.contains("--from-line \(Self.batch + 1)"), "\(text)")
        #expect(try desk.run("count", desk.path("a.realm"), "Shop_Maker").output == "20,000\n")
        desk.delete()
    }

    /// Links by `$key` to objects of other transactions, before and after, beside objects without
    /// a key.
    @Test func linksOfObjectsWithoutPrimaryKeys() throws {
        let desk = try Desk()
        let random = Seed.random(3)
        try Shop.make(desk, "a.realm") { realm in
            var random = random
            Shop.fill(realm, &random, count: 5)
        }
        let a = desk.path("a.realm")
        let before = try #require(Int(desk.run("count", a, "Shop_Everything").output.dropLast()))
        let count = Self.batch + 1_000
        var lines = ""
        for number in 0..<count {
            let key = number % 7 == 3 ? "" : "\"$key\":\(number),"
            let next = (number + Self.batch) % count
            let link = next % 7 == 3 ? "null" : "{\"$key\":\(next)}"
            lines += """
                {"$class":"Shop_Everything",\(key)"int":\(1_000_000 + number),"other":\(link)}

                """
        }
        let loaded = try desk.run("load", try desk.write(lines, to: "in.jsonl"), a)
        #expect(loaded.output.contains("21,000 objects added"), "\(loaded.output)\(loaded.errors)")
        #expect(!loaded.output.contains("became null"))
        #expect(
            try desk.run("count", a, "Shop_Everything", "TRUEPREDICATE", "--json").objects()
                .first?["count"] as? Int == before + count)
        let linked = try desk.run(
            "count", a, "Shop_Everything", "int >= 1000000 AND other != nil", "--json")
        #expect(try linked.objects().first?["count"] as? Int == (0..<count).count { $0 % 7 != 3 })
        for number in [0, 999, 1_000, 20_999] where (number + Self.batch) % count % 7 != 3 {
            let found = try desk.run(
                "count", a, "Shop_Everything",
                """
                int == \(1_000_000 + number) \
                AND other.int == \(1_000_000 + (number + Self.batch) % count)
                """)
            #expect(found.output == "1\n", "\(number)")
        }
        #expect(try desk.run("check", a).status == 0)
        desk.delete()
    }

    /// Rows of others between two transactions keep their places.
    @Test func placesThatOthersTook() throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        let file = try InspectedFile(path: desk.path("a.realm"), key: desk.key, isWritable: true)
        let table = try file.snapshot().catalog.inspected("Shop_Everything").id
        var writeSet = try file.store.beginWrite()
        var rows = writeSet.mutableTable(table)
        var keys = InputKeys(rows)
        let first = try #require(keys.row(of: 0))
        _ = rows.insertRow(RowKey(rawValue: first))
        keys.endTransaction(rows)
        _ = try file.store.commit(writeSet)
        // Another process.
        writeSet = try file.store.beginWrite()
        rows = writeSet.mutableTable(table)
        let other = rows.nextRowKey()
        _ = rows.insertRow(other)
        _ = try file.store.commit(writeSet)
        writeSet = try file.store.beginWrite()
        rows = writeSet.mutableTable(table)
        keys.beginTransaction(rows)
        #expect(keys.row(of: 0) == first)
        #expect(keys.row(of: other.rawValue - first) == nil)
        keys.note(other.rawValue - first, at: rows.nextRowKey().rawValue)
        #expect(keys.row(of: other.rawValue - first) == other.rawValue + 1)
        #expect(keys.row(of: other.rawValue + 1 - first) == nil)
        #expect(keys.row(of: -1) == nil && keys.row(of: .max) == nil)
        file.store.cancel(writeSet)
        desk.delete()
    }
}
