import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// `history`.
@Suite struct HistoryCommandTests {
    /// Three transactions of two authors.
    private func withHistory(_ body: (Desk, String) throws -> Void) throws {
        let desk = try Desk()
        try onNewThread {
            var configuration = Shop.configuration(desk.directory.file("a.realm"), desk.key)
            configuration.history = .kept(for: .forever, values: true)
            let realm = try Realm(configuration: configuration)
            try realm.write(author: "import") { Shop.fillSimply(realm) }
            try realm.write {
                realm.object(ofType: Shop.Item.self, forPrimaryKey: "item 1")?.price = 9
            }
            try realm.write(author: "shop") {
                let item = try #require(
                    realm.object(ofType: Shop.Item.self, forPrimaryKey: "item 2"))
                realm.delete(item)
            }
        }
        try body(desk, desk.path("a.realm"))
        desk.delete()
    }

    @Test func forPeople() throws {
        try withHistory { desk, file in
            let all = try desk.run("history", file)
            #expect(all.status == 0, "\(all.errors)")
            #expect(all.lines.count(where: { $0.hasPrefix("+ ") }) == 12)
            #expect(all.lines.contains("    price  1.5 → 9.0"))
            #expect(all.lines.contains { $0.hasPrefix("- ") && $0.contains("item 2") })
            #expect(all.output.hasSuffix("3 transactions\n"))
            let last = try desk.run("history", file, "--last", "1")
            #expect(last.lines.count == 3)
            #expect(last.lines[0].contains("  by shop"))
            let makers = try desk.run("history", file, "Shop_Maker")
            #expect(makers.output.hasSuffix("1 transaction\n"))
        }
    }

    /// The history is a table of the file, too.
    @Test func theFilesOwnTablesAreNoClasses() throws {
        try withHistory { desk, file in
            for command in [["schema"], ["schema", "--json"], ["dump"], ["count"]] {
                let printed = try desk.run([command[0], file] + command.dropFirst())
                #expect(printed.status == 0 && !printed.output.contains("Freehold."), "\(command)")
            }
            #expect(try desk.run("space", file).output.contains("(history)"))
            let query = try desk.run("query", file, "Freehold.History")
            #expect(query.status == 2 && query.errors.contains("no class"))
            let delete = try desk.run("delete", file, "Freehold.History", "0", "--yes")
            #expect(delete.status == 2 && delete.errors.contains("no class"))
            let dump = try desk.run("dump", file).output
            let line = dump.replacing("Shop_Maker", with: "Freehold.History")
            try Data(line.utf8).write(to: desk.directory.file("own.jsonl"))
            let load = try desk.run("load", desk.path("own.jsonl"), desk.path("own.realm"))
            #expect(load.status == 2 && load.errors.contains("not the name of a class"))
            // A dump has the objects alone.
            try Data(dump.utf8).write(to: desk.directory.file("all.jsonl"))
            #expect(
                try desk.run("load", desk.path("all.jsonl"), desk.path("all.realm")).status == 0)
            #expect(try desk.run("diff", file, desk.path("all.realm"), "--quiet").status == 0)
        }
    }

    /// What is printed is not all there is, so the status must say so.
    @Test func damageIsToldAfterWhatCanBeRead() throws {
        let desk = try Desk()
        try onNewThread { try DamagedHistory.make(at: desk.directory.file("d.realm")) }
        let file = desk.path("d.realm")
        let all = try desk.run("history", file, "--json")
        #expect(all.status == 2)
        #expect(all.lines.count == 2)
        #expect(all.errors.contains("damaged"))
        #expect(try desk.run("history", file, "--last", "2").status == 0)
        #expect(try desk.run("history", file, "--last", "4").status == 2)
        desk.delete()
    }

    @Test func forPrograms() throws {
        try withHistory { desk, file in
            let all = try desk.run("history", file, "--json").objects()
            #expect(all.map { $0["author"] as? String } == ["import", nil, "shop"])
            let changes = try #require(all[1]["changes"] as? [[String: Any]])
            #expect(changes.count == 1)
            #expect(changes[0]["change"] as? String == "changed")
            #expect(changes[0]["key"] as? String == "item 1")
            #expect((changes[0]["before"] as? [String: Double]) == ["price": 1.5])
            #expect(changes[0]["properties"] as? [String] == ["price"])
            let token = try #require(all[1]["token"] as? String)
            let rest = try desk.run("history", file, "--after", token, "--json").objects()
            #expect(rest.map { $0["author"] as? String } == ["shop"])
            let newest = try desk.run("history", file, "--token").output
            #expect(newest == "\(try #require(all[2]["token"] as? String))\n")
            let one = try desk.run("history", file, "--author", "import", "--json").objects()
            #expect(one.count == 1)
        }
    }

    @Test func changesOfTheCommandHaveAnAuthor() throws {
        try withHistory { desk, file in
            #expect(try desk.run("set", file, "Shop_Item", "item 3", "price=1", "-y").status == 0)
            #expect(try desk.run("delete", file, "Shop_Item", "item 4", "-y").status == 0)
            let more = try desk.write("{\"$class\":\"Shop_Item\",\"name\":\"n\"}", to: "m.jsonl")
            #expect(try desk.run("load", more, file).status == 0)
            let own = try desk.run("history", file, "--author", "freehold", "--json").objects()
            let kinds = own.compactMap { ($0["changes"] as? [[String: Any]])?.first?["change"] }
            #expect(kinds as? [String] == ["changed", "removed", "added"])
        }
    }

    @Test func mistakes() throws {
        try withHistory { desk, file in
            #expect(try desk.run("history", file, "--after", "x").status == 64)
            #expect(try desk.run("history", file, "--last", "0").status == 64)
            let plain = desk.path("plain.realm")
            try Shop.make(desk, "plain.realm") { Shop.fillSimply($0) }
            let none = try desk.run("history", plain)
            #expect(none.status == 2)
            #expect(none.errors.contains("historyDisabled"), "\(none.errors)")
            // A token of another file.
            let token = try desk.run("history", file, "--token").output.dropLast()
            try onNewThread {
                var configuration = Shop.configuration(desk.directory.file("b.realm"), desk.key)
                configuration.history = .kept(for: .forever)
                let realm = try Realm(configuration: configuration)
                try realm.write { Shop.fillSimply(realm) }
            }
            let other = try desk.run(
                "history", desk.path("b.realm"), "--after", String(token))
            #expect(other.status == 2)
            #expect(other.errors.contains("historyExpired"), "\(other.errors)")
        }
    }
}
