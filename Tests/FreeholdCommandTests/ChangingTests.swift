import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// `set`, `delete`, `diff`, `watch`, `versions`, `copy` and `compact`.
@Suite struct ChangingTests {
    private func withShop(_ body: (Desk, String) throws -> Void) throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        try body(desk, desk.path("a.realm"))
        desk.delete()
    }

    @Test func setting() throws {
        try withShop { desk, file in
            let asked = try Command.shell(
                "setsid -w bash -c '\"\(Command.executable.path)\" set \(file) Shop_Item "
                    + "\"item 1\" price=3 \(desk.keyText)'")
            #expect(asked.status == 2)
            #expect(asked.output.contains("price  1.5 → 3.0"))
            #expect(asked.errors.contains("Give --yes"))
            let set = try desk.run(
                "set", file, "Shop_Item", "item 1", "price=3", "maker=null", "--yes")
            #expect(set.status == 0, "\(set.errors)")
            #expect(set.output.contains("maker  2 → null"))
            #expect(set.output.hasSuffix("1 object changed\n"))
            let again = try desk.run("set", file, "Shop_Item", "item 1", "price=3", "--yes")
            #expect(again.output == "0 objects changed\n")
            let json = try desk.run(
                "set", file, "Shop_Item", "--where", "maker.id == 1", "price=7.5", "-y", "--json")
            #expect(json.lines.count == 5)
            #expect(
                json.lines[0]
                    == #"{"change":"changed","class":"Shop_Item","key":"item 2","#
                    + #""before":{"price":3.0},"after":{"price":7.5}}"#)
            #expect(try desk.run("check", file).status == 0)
        }
    }

    @Test(arguments: [
        (["item 1", "price=x"], 2, "'price' must be a number"),
        (["item 1", "nothing=1"], 2, "has no property 'nothing'"),
        (["item 1", "name=other"], 2, "is the primary key"),
        (["item 1", "maker=9"], 2, "has no such object"),
        (["item 1", "price"], 64, "not of the form name=value"),
        (["item 1"], 64, "at least one name=value"),
        (["item 99", "price=1"], 1, "has no object 'item 99'"),
    ]) func wrongSetting(words: [String], status: Int32, message: String) throws {
        try withShop { desk, file in
            let failed = try desk.run(["set", file, "Shop_Item"] + words + ["--yes"])
            #expect(failed.status == status)
            #expect(failed.errors.contains(message), "\(failed.errors)")
        }
    }

    @Test func settingEverything() throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { realm in
            realm.create(Shop.Item.self, value: ["name": "i"])
            realm.create(Shop.Everything.self, value: ["textOrNil": "x"])
        }
        let file = desk.path("a.realm")
        let set = try desk.run(
            "set", file, "Shop_Everything", "0", "int=-5", "bool=true", "text=null",
            "textOrNil=null",
            "date=2024-02-29", "data=AAEC", "decimal=1.50", "double=NaN", "ints=[1,2]",
            #"textSet=["b","a"]"#, #"place={"city":"Bonn","inner":{"city":"Köln"}}"#,
            #"anyMap={"a":{"$date":"2020-01-01"}}"#, "item=i", "items=[\"i\",\"i\"]",
            "any=free text",
            "uuid=01234567-89AB-CDEF-0123-456789ABCDEF", "objectId=0123456789abcdef01234567", "-y")
        #expect(set.status == 0, "\(set.errors)")
        let one = try desk.run("show", file, "Shop_Everything", "0", "--json").objects()[0]
        #expect(one["int"] as? Int == -5)
        #expect(one["text"] as? String == "null")
        #expect(one["textOrNil"] is NSNull)
        #expect(one["date"] as? String == "2024-02-29T00:00:00Z")
        #expect(one["double"] as? String == "NaN")
        #expect(one["decimal"] as? String == "1.50")
        #expect(one["textSet"] as? [String] == ["a", "b"])
        #expect(one["any"] as? String == "free text")
        #expect((one["place"] as? [String: Any])?["city"] as? String == "Bonn")
        #expect(one["items"] as? [String] == ["i", "i"])
        // Another value takes the place of the embedded objects.
        _ = try desk.run("set", file, "Shop_Everything", "0", #"place={"city":"X"}"#, "-y")
        #expect(try desk.run("count", file, "Shop_Place").output == "1\n")
        #expect(try desk.run("check", file).status == 0)
        desk.delete()
    }

    @Test func deleting() throws {
        try withShop { desk, file in
            #expect(try desk.run("delete", file, "Shop_Item").status == 64)
            let deleted = try desk.run("delete", file, "Shop_Item", "item 3", "item 4", "--yes")
            #expect(deleted.output.hasSuffix("2 objects deleted\n"))
            let maker = try desk.run("show", file, "Shop_Maker", "1", "--json").objects()[0]
            #expect(maker["best"] is NSNull)
            let missing = try desk.run("delete", file, "Shop_Item", "item 3", "--yes")
            #expect(missing.status == 1)
            let all = try desk.run("delete", file, "Shop_Item", "--where", "price > 0", "--yes")
            #expect(all.output.hasSuffix("8 objects deleted\n"))
            #expect(try desk.run("count", file, "Shop_Item").output == "0\n")
            #expect(try desk.run("check", file).status == 0)
        }
    }

    @Test func differences() throws {
        try withShop { desk, file in
            let other = desk.path("b.realm")
            #expect(try desk.run("copy", file, other).status == 0)
            #expect(try desk.run("diff", file, other).output == "equal\n")
            _ = try desk.run("set", other, "Shop_Item", "item 1", "price=2", "-y")
            _ = try desk.run("delete", other, "Shop_Item", "item 2", "-y")
            let more = try desk.write("{\"$class\":\"Shop_Item\",\"name\":\"n\"}", to: "m.jsonl")
            _ = try desk.run("load", more, other)
            let diff = try desk.run("diff", file, other)
            #expect(diff.status == 1)
            #expect(
                diff.lines == [
                    "~ Shop_Item \"item 1\"", "    price  1.5 → 2.0",
                    "- Shop_Item \"item 2\"  {\"name\":\"item 2\",\"price\":3.0,\"maker\":1}",
                    "+ Shop_Item \"n\"  {\"name\":\"n\",\"price\":0.0,\"maker\":null}",
                    "1 only in the first, 1 only in the second, 1 different",
                ])
            let json = try desk.run("diff", file, other, "--json").objects()
            #expect(json.map { $0["change"] as? String } == ["changed", "removed", "added"])
            let quiet = try desk.run("diff", file, other, "--quiet")
            #expect(quiet.status == 1 && quiet.output.isEmpty)
        }
    }

    @Test func watching() throws {
        try withShop { desk, file in
            let process = Command.process(
                ["watch", file, "Shop_Item", "--json", "--count", "1"] + desk.keyOptions)
            let pipe = Pipe()
            process.standardOutput = .pipe(pipe)
            try process.run()
            let reader = pipe.fileHandleForReading
            // The first line says from which version on it watches.
            var text = Data()
            while !text.contains(0x0A) { text.append(reader.availableData) }
            let (url, key) = (desk.directory.file("a.realm"), desk.key)
            try onNewThread {
                let realm = try Realm(configuration: Shop.configuration(url, key))
                try realm.write { realm.create(Shop.Maker.self, value: ["id": 9]) }
                try realm.write {
                    realm.create(Shop.Item.self, value: ["name": "new", "price": 4])
                    let item = realm.object(ofType: Shop.Item.self, forPrimaryKey: "item 1")
                    item?.price = 8
                }
            }
            text.append(reader.readDataToEndOfFile())
            process.waitUntilExit()
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
            #expect(process.terminationStatus == 0)
            #expect(lines.count == 4)
            #expect(
                lines[2]
                    == #"{"change":"added","class":"Shop_Item","key":"new","#
                    + #""after":{"name":"new","price":4.0,"maker":null}}"#)
            #expect(
                lines[3]
                    == #"{"change":"changed","class":"Shop_Item","key":"item 1","#
                    + #""before":{"price":1.5},"after":{"price":8.0}}"#)
        }
    }

    /// A process that keeps a version is named, with what it keeps.
    @Test func versions() throws {
        try withShop { desk, file in
            let (url, key) = (desk.directory.file("a.realm"), desk.key)
            let options = desk.keyOptions
            try onNewThread {
                let realm = try Realm(configuration: Shop.configuration(url, key))
                let frozen = realm.freeze()
                try realm.write { realm.deleteAll() }
                let report = try Command.run(
                    of: Command.process(["versions", url.path, "--json"] + options))
                let pins = try #require(report.objects()[0]["pins"] as? [[String: Any]])
                let own = Int(ProcessInfo.processInfo.processIdentifier)
                let found = pins.filter { $0["processID"] as? Int == own }
                #expect(found.contains { $0["byteCount"] as? Int ?? 0 > 0 })
                let text = try Command.run(
                    of: Command.process(["versions", url.path] + options))
                #expect(text.output.contains("\(own)"))
                withExtendedLifetime(frozen) {}
            }
            #expect(try desk.run("versions", file).output.contains("No other process"))
        }
    }

    @Test func copies() throws {
        try withShop { desk, file in
            let newKey = desk.path("new-key")
            try Data((0..<64).map { UInt8($0) ^ 0x55 }).write(to: URL(fileURLWithPath: newKey))
            let copy = desk.path("c.realm")
            #expect(try desk.run("copy", file, copy, "--new-key-file", newKey).status == 0)
            #expect(try desk.run("copy", file, copy).status == 2)
            #expect(try desk.run("diff", file, copy, "--new-key-file", newKey).status == 0)
            let descriptor = try Command.shell(
                "freehold count \(copy) Shop_Item --key-descriptor 3 3<\(newKey)")
            #expect(descriptor.output == "10\n")
            let both = try Command.run("count", copy, "--key-file", newKey, "--ask-key")
            #expect(both.status == 64)
            _ = try desk.run("delete", file, "Shop_Item", "--where", "price > 0", "-y")
            let compacted = try desk.run("compact", file, "--json").objects()[0]
            #expect(
                compacted["byteCount"] as? Int ?? .max <= compacted["byteCountBefore"] as? Int ?? 0)
            #expect(try desk.run("check", file).status == 0)
        }
    }
}
