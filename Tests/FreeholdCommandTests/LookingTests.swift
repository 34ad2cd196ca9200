import Foundation
import Freehold
import FreeholdInspection
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// `schema`, `query`, `explain`, `show`, `count`, `space`.
@Suite struct LookingTests {
    private func withShop(_ body: (Desk, String) throws -> Void) throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        try body(desk, desk.path("a.realm"))
        desk.delete()
    }

    @Test func tables() throws {
        try withShop { desk, file in
            let found = try desk.run(
                "query", file, "Shop_Item", "price > 10 SORT(price DESC) LIMIT(2)")
            #expect(
                found.lines.prefix(4) == [
                    "name     price  maker", "───────  ─────  ─────",
                    "item 10   15.0      1"
                        .replacing("      1", with: "  1"), "item 9    13.5  2",
                ])
            #expect(found.lines[4].hasPrefix("2 objects in "))
            let chosen = try desk.run(
                "query", file, "Shop_Maker", "--columns", "name", "--limit", "1")
            #expect(chosen.lines[2] == "Maker 1")
        }
    }

    @Test func jsonLines() throws {
        try withShop { desk, file in
            let found = try desk.run("query", file, "Shop_Item", "maker.id == 1", "--json")
            #expect(found.lines.count == 5)
            #expect(found.lines[0] == #"{"name":"item 2","price":3.0,"maker":1}"#)
            let count = try desk.run("count", file, "--json")
            #expect(count.lines.contains(#"{"count":10,"name":"Shop_Item"}"#))
            let csv = try desk.run("query", file, "Shop_Item", "LIMIT(1)", "--csv")
            #expect(csv.output == "name,price,maker\nitem 1,1.5,2\n")
        }
    }

    @Test func mistakes() throws {
        try withShop { desk, file in
            let name = try desk.run("query", file, "Shop_Item", "pric > 3")
            #expect(name.status == 2)
            #expect(name.errors.contains("  pric > 3\n  ^\n"))
            #expect(name.errors.contains("Did you mean 'price'?"))
            let syntax = try desk.run("query", file, "Shop_Item", "price >")
            #expect(syntax.errors.contains("Column 8: expected a value"))
            let sort = try desk.run("query", file, "Shop_Item", "SORT(nothing ASC)")
            #expect(sort.status == 2 && sort.errors.contains("nothing"))
            let type = try desk.run("query", file, "shop_item")
            #expect(type.errors.contains("Did you mean 'Shop_Item'?"))
            #expect(try desk.run("query", file).status == 64)
            #expect(try desk.run("query", file, "Shop_Item", "--columns", "x").status == 2)
        }
    }

    @Test func plans() throws {
        try withShop { desk, file in
            let plan = try desk.run("explain", file, "Shop_Item", "name == 'item 3'")
            #expect(plan.lines[0].hasPrefix("index name"))
            let json = try desk.run(
                "explain", file, "Shop_Item", "price > 3", "--json", "--no-run")
            #expect(try json.objects()[0]["operation"] as? String == "filter")
        }
    }

    @Test func objects() throws {
        try withShop { desk, file in
            let maker = try desk.run("show", file, "Shop_Maker", "1")
            #expect(maker.output.contains("Shop_Maker 1\n"))
            #expect(maker.output.contains("best  item 3"))
            #expect(maker.output.contains("← Shop_Item.maker  \"item 2\", \"item 4\""))
            let missing = try desk.run("show", file, "Shop_Maker", "12")
            #expect(missing.status == 1)
            #expect(missing.errors.contains("Shop_Maker has no object '12'"))
            let wrong = try desk.run("show", file, "Shop_Maker", "x")
            #expect(wrong.status == 2 && wrong.errors.contains("must be an integer"))
            let json = try desk.run("show", file, "Shop_Item", "item 3", "--json").objects()[0]
            #expect(json["$class"] as? String == "Shop_Item")
            #expect(json["$key"] is Int)
        }
    }

    @Test func schemas() throws {
        try withShop { desk, file in
            let text = try desk.run("schema", file, "Shop_Item")
            #expect(text.output.contains("name      string?      primary key"))
            #expect(text.output.contains("10 objects"))
            let json = try desk.run("schema", file, "--json").objects()
            #expect(json.count == 5)
            let diagram = try desk.run("schema", file, "--mermaid")
            #expect(diagram.output.contains("Shop_Item --> Shop_Maker : maker"))
            #expect(diagram.output.contains("Shop_Everything *-- \"*\" Shop_Place : places"))
        }
    }

    @Test func space() throws {
        try withShop { desk, file in
            let text = try desk.run("space", file)
            #expect(text.output.contains("Shop_Item"))
            #expect(text.output.contains("(catalog)"))
            let json = try desk.run("space", file, "--json").objects()[0]
            let used = try #require(json["usedByteCount"] as? Int)
            let classes = try #require(json["classes"] as? [[String: Any]])
            let sum = classes.reduce(0) { $0 + ($1["total"] as? Int ?? 0) }
            let (meta, rest) = (json["metaByteCount"] as? Int, json["overheadByteCount"] as? Int)
            #expect(sum + (meta ?? 0) + (rest ?? 0) == used)
        }
    }

    /// A walk through many views finds what the engine finds at once.
    @Test(arguments: [false, true]) func walks(isEncrypted: Bool) throws {
        let desk = try Desk(isEncrypted: isEncrypted)
        try Shop.make(desk, "a.realm") { realm in
            for number in 0..<4000 {
                realm.create(
                    Shop.Item.self, value: ["name": "item \(number)", "price": number % 100])
            }
        }
        let (path, key) = (desk.path("a.realm"), desk.key)
        try onNewThread {
            let file = try InspectedFile(path: path, key: key)
            let query = try StoredQuery("price > 60", of: "Shop_Item", in: file.realm())
            let predicate = try #require(query.results.scanPredicate)
            var found: [Int64] = []
            let walk = RowWalk(try file.snapshot(), query.table, options: RowEncoder.Options())
            try walk.forEach(predicate) { row, _ in
                found.append(row.key)
                return true
            }
            #expect(found == Array(query.results.rowKeys))
            found = []
            try query.forEach(options: RowEncoder.Options()) { row, _ in
                found.append(row.key)
                return found.count < 700
            }
            #expect(found == Array(query.results.rowKeys.prefix(700)))
            #expect(query.results.rowKeys(at: 5..<8) == Array(query.results.rowKeys[5..<8]))
        }
        desk.delete()
    }

    @Test func endOfTheReader() throws {
        try withShop { desk, file in
            let outcome = try Command.shell(
                """
                set -o pipefail
                for n in 1 2 3; do
                    freehold dump \(file) \(desk.keyText) | head -1 > /dev/null || exit 9
                    freehold query \(file) Shop_Item \(desk.keyText) | true || exit 9
                done
                """)
            #expect(outcome.status == 0)
            #expect(outcome.errors.isEmpty)
        }
    }
}
