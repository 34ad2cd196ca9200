import Foundation
import Freehold
import FreeholdSharing

/// One shop. Sales, views and notes are ordinary writes: they are in the file at once, whether or
/// not the server answers. The common stock is an invariant of all shops, so it is taken in shared
/// writes, which need the server.
@MainActor struct Shop {
    let name: String
    let shared: SharedRealm

    /// Sells to customers whose wishes follow from a seed.
    func sell(_ count: Int, seed: UInt64) async throws {
        var wishes = Wishes(state: seed)
        let realm = try shared.realm()
        for index in 0..<count {
            let number = "A-\(wishes.next(3) + 1)"
            let pieces = wishes.next(3) + 1
            try await realm.asyncWrite {
                guard let article = realm.object(ofType: Article.self, forPrimaryKey: number)
                else { return }
                article.increment(\.views, by: 1)
                if index % 10 == 0 { article.notes.append("\(name): asked for again") }
                let sale = Sale()
                (sale.shop, sale.article, sale.count) = (name, article, pieces)
                realm.add(sale)
            }
        }
        say("\(name) sold \(count) times; \(shared.status.pending) commits wait")
    }

    /// Takes what was sold from the common stock, as far as there is any. Waits for the server.
    func settle() async throws {
        while true {
            do {
                try await shared.synchronize()
                break
            } catch let error as SharingError where error.code == .unreachable {
                say("\(name) is offline; its sales wait")
                try await Task.sleep(for: .milliseconds(500))
            }
        }
        let name = name
        let (settled, owed) = try await shared.writeShared { realm in
            var (settled, owed) = (0, 0)
            // The oldest first: what was sold first is settled first.
            let sales = realm.objects(Sale.self).where { $0.shop == name && !$0.isSettled }
            for sale in sales.sorted(by: \.date) {
                guard let article = sale.article, article.stock >= sale.count else {
                    owed += 1
                    continue
                }
                article.stock -= sale.count
                sale.isSettled = true
                settled += 1
            }
            return (settled, owed)
        }
        say("\(name) settled \(settled) sales, \(owed) found no stock")
    }

    func close() async { await shared.close() }
}

/// Random numbers of a seed: an example prints the same each time.
struct Wishes {
    var state: UInt64

    /// xorshift64*, by Marsaglia and Vigna.
    mutating func next(_ bound: Int) -> Int {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Int((state &* 2_685_821_657_736_338_717) >> 33) % bound
    }
}

/// Prints a line at once, also into a file.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
