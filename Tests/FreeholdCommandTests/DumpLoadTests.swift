import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// `dump` and `load`.
@Suite struct DumpLoadTests {
    /// A dump of every type gives an equal file, plain and encrypted.
    @Test(arguments: [false, true], 0..<4) func roundTrip(isEncrypted: Bool, number: Int) throws {
        let desk = try Desk(isEncrypted: isEncrypted)
        let random = Seed.random(UInt64(number) &+ 77)
        try Shop.make(desk, "a.realm") { realm in
            var random = random
            Shop.fill(realm, &random, count: 40)
        }
        let (a, b, dump) = (desk.path("a.realm"), desk.path("b.realm"), desk.path("a.jsonl"))
        let line = "freehold dump \(a) \(desk.keyText) > \(dump)"
        #expect(try Command.shell(line).status == 0)
        let loaded = try desk.run("load", dump, b)
        #expect(loaded.status == 0, "\(loaded.errors)")
        let diff = try desk.run("diff", a, b)
        #expect(diff.status == 0 && diff.output == "equal\n", "\(diff.output.prefix(2000))")
        #expect(try desk.run("check", b).status == 0)
        // The same dump again, but for the version.
        let again = try desk.run("dump", b)
        let first = try String(contentsOfFile: dump, encoding: .utf8)
        #expect(again.output.drop { $0 != "\n" } == first.drop { $0 != "\n" })
        // The program's classes open the file as it is.
        let key = desk.key
        let url = desk.directory.file("b.realm")
        try onNewThread {
            let realm = try Realm(configuration: Shop.configuration(url, key))
            #expect(realm.objects(Shop.Everything.self).count > 0)
            #expect(try realm.check().isEmpty)
        }
        desk.delete()
    }

    @Test func throughAPipe() throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        let outcome = try Command.shell(
            """
            set -o pipefail
            freehold dump \(desk.path("a.realm")) \(desk.keyText) \
                | freehold load - \(desk.path("b.realm")) \(desk.keyText)
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("12 objects added"))
        #expect(try desk.run("diff", desk.path("a.realm"), desk.path("b.realm")).status == 0)
        desk.delete()
    }

    /// Objects with a primary key change those that the file has; all others are added.
    @Test func intoAnExistingFile() throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        let a = desk.path("a.realm")
        let input = try desk.write(
            """
            {"$class":"Shop_Item","name":"item 3","price":99}
            {"$class":"Shop_Item","name":"new","maker":77}
            {"$class":"Shop_Maker","id":77,"best":"new","name":"M"}
            {"$class":"Shop_Everything","$key":5,"other":{"$key":9},"item":"item 1"}
            {"$class":"Shop_Everything","$key":9,"other":{"$key":5},"int":-3}

            """, to: "more.jsonl")
        let loaded = try desk.run("load", input, a)
        #expect(loaded.status == 0, "\(loaded.errors)")
        #expect(loaded.output.contains("4 objects added, 1 changed"))
        let item = try desk.run("show", a, "Shop_Item", "item 3", "--json").objects()[0]
        #expect(item["price"] as? Double == 99)
        // What the object does not name stays.
        #expect(item["maker"] as? Int == 2)
        let new = try desk.run("query", a, "Shop_Item", "maker.best.name == 'new'", "--json")
        #expect(try new.objects().map { $0["name"] as? String } == ["new"])
        let linked = try desk.run(
            "query", a, "Shop_Everything", "other.other.int == 0 AND int == 0", "--json")
        #expect(try linked.objects().count == 1)
        #expect(try desk.run("check", a).status == 0)
        desk.delete()
    }

    @Test func linksToNothing() throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        let part = desk.path("part.jsonl")
        _ = try Command.shell(
            "freehold dump \(desk.path("a.realm")) Shop_Item \(desk.keyText) > \(part)")
        let loaded = try desk.run("load", part, desk.path("b.realm"), "--json").objects()[0]
        let result = try #require(loaded["result"] as? [String: Any])
        #expect(result["lostLinks"] as? Int == 10)
        #expect(result["added"] as? Int == 10)
        let linked = try desk.run("count", desk.path("b.realm"), "Shop_Item", "maker != nil")
        #expect(linked.output == "0\n")
        #expect(try desk.run("check", desk.path("b.realm")).status == 0)
        // In an existing file as well.
        let more = try desk.write(
            """
            {"$class":"Shop_Item","name":"x","maker":555}
            """, to: "more.jsonl")
        let again = try desk.run("load", more, desk.path("b.realm"))
        #expect(again.output.contains("! 1 link became null"))
        #expect(try desk.run("count", desk.path("b.realm"), "Shop_Maker").output == "0\n")
        desk.delete()
    }

    /// A failure names the line, and leaves no file, or the file as it was.
    @Test(arguments: [
        ("{", "line 2: expected"),
        ("{\"$class\":\"Nobody\"}", "The file has no class 'Nobody'"),
        ("{\"$class\":\"Shop_Item\",\"name\":\"x\",\"pric\":1}", "has no property 'pric'"),
        ("{\"$class\":\"Shop_Item\",\"name\":\"x\",\"price\":\"1\"}", "'price' must be a number"),
        ("{\"$class\":\"Shop_Maker\",\"name\":\"x\"}", "lacks its primary key 'id'"),
        ("{\"$class\":\"Shop_Place\",\"city\":\"x\"}", "is embedded"),
        ("{\"name\":\"x\"}", "does not say its class"),
        ("[1]", "must be a JSON object"),
        ("{\"$class\":\"Shop_Everything\",\"any\":{\"$what\":1}}", "'$what' is no type"),
    ]) func wrongInput(line: String, message: String) throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        let header = try desk.run("dump", desk.path("a.realm")).lines[0]
        let good = "{\"$class\":\"Shop_Item\",\"name\":\"item 1\",\"price\":5}"
        let new = try desk.write(header + "\n" + line + "\n", to: "new.jsonl")
        let failed = try desk.run("load", new, desk.path("b.realm"))
        #expect(failed.status == 2)
        #expect(failed.errors.contains(message), "\(failed.errors)")
        #expect(failed.errors.contains("line 2"))
        #expect(!FileManager.default.fileExists(atPath: desk.path("b.realm")))
        let more = try desk.write(good + "\n" + line + "\n", to: "more.jsonl")
        #expect(try desk.run("load", more, desk.path("a.realm")).status == 2)
        let price = try desk.run("show", desk.path("a.realm"), "Shop_Item", "item 1", "--json")
        #expect(try price.objects()[0]["price"] as? Double == 1.5)
        desk.delete()
    }

    @Test func withoutASchema() throws {
        let desk = try Desk()
        let input = try desk.write("{\"$class\":\"A\"}\n", to: "in.jsonl")
        let failed = try desk.run("load", input, desk.path("new.realm"))
        #expect(failed.status == 2)
        #expect(failed.errors.contains("does not begin with a schema"))
        let missing = try desk.run("load", desk.path("none"), desk.path("new.realm"))
        #expect(missing.status == 2)
        #expect(missing.errors.contains("does not exist"))
        #expect(!FileManager.default.fileExists(atPath: desk.path("new.realm")))
        desk.delete()
    }

    @Test func csv() throws {
        let desk = try Desk()
        let random = Seed.random()
        try Shop.make(desk, "a.realm") { realm in
            var random = random
            Shop.fill(realm, &random, count: 30)
        }
        let a = desk.path("a.realm")
        _ = try Command.shell(
            """
            freehold dump \(a) Shop_Item --csv \(desk.keyText) > \(desk.path("items.csv"))
            freehold copy \(a) \(desk.path("b.realm")) \(desk.keyText)
            """)
        let b = desk.path("b.realm")
        let same = try desk.run("load", desk.path("items.csv"), b, "--class", "Shop_Item")
        #expect(same.status == 0, "\(same.errors)")
        #expect(same.output.contains("30 changed") || same.output.contains("changed"))
        #expect(try desk.run("diff", a, b).status == 0)
        let changed = try desk.run(
            "set", b, "Shop_Item", "--where", "TRUEPREDICATE", "price=0", "-y")
        #expect(changed.status == 0)
        #expect(try desk.run("diff", a, b, "--quiet").status == 1)
        _ = try desk.run("load", desk.path("items.csv"), b, "--class", "Shop_Item")
        #expect(try desk.run("diff", a, b).status == 0)
        let unnamed = try desk.run("load", desk.path("items.csv"), b)
        #expect(unnamed.status == 64)
        desk.delete()
    }
}
