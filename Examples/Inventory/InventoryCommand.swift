import ArgumentParser
import Foundation
import Freehold
import FreeholdPostgres
import FreeholdSharing

/// Shops that share their stock through a PostgreSQL server. Each has a file of its own, and goes
/// on selling while the server is away.
@main
struct InventoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inventory", abstract: "Sells articles in several shops.",
        subcommands: [Prepare.self, Open.self, Show.self])
}

struct ShopOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The shop's file.", valueName: "path"))
    var realm = "shop.realm"

    @Option(help: "Where the server is: postgresql://…")
    var server: String

    var configuration: Realm.Configuration {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: realm), objectTypes: [Article.self, Sale.self])
    }

    func share() async throws -> SharedRealm {
        try await SharedRealm(configuration, upstream: .postgres(server), name: "inventory")
    }
}

struct Prepare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes the server's tables, the realm, and some articles.")

    @OptionGroup var options: ShopOptions
    @Option(help: "How many pieces of each article there are.") var stock = 100

    @MainActor func run() async throws {
        let upstream = PostgresUpstream(options.server)
        try await upstream.prepare()
        try await upstream.create("inventory")
        let shared = try await options.share()
        let realm = try shared.realm()
        try await realm.asyncWrite {
            for (number, name) in [("A-1", "Kettle"), ("A-2", "Lamp"), ("A-3", "Chair")] {
                realm.create(
                    Article.self, value: ["number": number, "name": name, "stock": stock])
            }
        }
        try await shared.synchronize()
        await shared.close()
        print("3 articles, \(stock) pieces of each")
    }
}

struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Opens a shop, sells for a while, and settles what it sold.")

    @OptionGroup var options: ShopOptions
    @Option(help: "The shop's name.") var name: String
    @Option(help: "How many sales.") var sales = 50
    @Option(help: "The seed of the customers' wishes.") var seed: UInt64 = 1

    @MainActor func run() async throws {
        let shop = Shop(name: name, shared: try await options.share())
        try await shop.sell(sales, seed: seed)
        try await shop.settle()
        await shop.close()
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints what a shop's file has, after it has met the server.")

    @OptionGroup var options: ShopOptions

    @MainActor func run() async throws {
        let shared = try await options.share()
        try await shared.synchronize()
        let realm = try shared.realm()
        for article in realm.objects(Article.self).sorted(by: \.number) {
            let sold = realm.objects(Sale.self).where { $0.article == article }
            let refused = sold.where { !$0.isSettled }.sum(of: \.count)
            print(
                """
                \(article.number) \(article.name): \(article.stock) in stock, \
                \(sold.where { $0.isSettled }.sum(of: \.count)) sold, \(refused) owed, \
                \(article.views) views, \(article.notes.count) notes
                """)
        }
        await shared.close()
    }
}
