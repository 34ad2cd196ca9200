import Foundation
import Freehold

/// The same objects in every run.
enum SampleData {
    private static let first = [
        "Ada", "Grace", "Linus", "Barbara", "Edsger", "Margaret", "Donald", "Frances", "Alan",
        "Radia", "Ken", "Hedy", "Dennis", "Annie", "Tony", "Katherine", "Niklaus", "Mary",
    ]
    private static let last = [
        "Lovelace", "Hopper", "Torvalds", "Liskov", "Dijkstra", "Hamilton", "Knuth", "Allen",
        "Turing", "Perlman", "Thompson", "Lamarr", "Ritchie", "Easley", "Hoare", "Johnson",
    ]
    private static let countries = [
        ("AT", "Austria", "Europe"), ("BR", "Brazil", "South America"),
        ("CA", "Canada", "North America"),
        ("DE", "Germany", "Europe"), ("IN", "India", "Asia"), ("JP", "Japan", "Asia"),
        ("KE", "Kenya", "Africa"), ("NO", "Norway", "Europe"), ("NZ", "New Zealand", "Oceania"),
        ("GB", "United Kingdom", "Europe"),
    ]
    private static let kinds = ["opened", "clicked", "scrolled", "closed", "failed", "paid"]
    private static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
    private static let text = """
        Wrote the first program for a machine that was never built, and saw further than its \
        inventor: that it might act upon other things besides number. 🦉

        The notes are three times as long as the article that they were written for. They \
        describe loops, conditions and memory, a century before there was a computer.
        """

    static func create(in realm: Realm, events: Int) throws {
        let people = try realm.write {
            let places = countries.map { code, name, continent in
                realm.create(
                    Country.self, value: ["code": code, "name": name, "continent": continent])
            }
            let people = (0..<600).map { person($0, places, in: realm) }
            for (index, person) in people.enumerated() {
                for step in 1...(index % 4 + 1) {
                    person.friends.append(people[(index * 7 + step * 13) % people.count])
                }
            }
            let products = (0..<120).map { number in
                let product = realm.create(
                    Product.self,
                    value: [
                        "sku": "P-\(1000 + number)",
                        "title": ["Teapot 🫖", "Lamp", "Chair", "Globe", "Kite 🪁"][number % 5]
                            + " No. \(number)",
                        "price": Decimal128(value: "\(number % 90 + 5).90"),
                    ])
                product.labels.insert(["new", "sale", "classic"][number % 3])
                return product
            }
            for number in 0..<400 { order(number, people, products, in: realm) }
            return people
        }
        var number = 0
        while number < events {
            try realm.write {
                for _ in 0..<min(100_000, events - number) {
                    let event = Event()
                    event.kind = kinds[number * 31 % 17 % kinds.count]
                    event.number = number
                    event.at = start.addingTimeInterval(Double(number) * 61.5)
                    event.value = Double(number * 7919 % 100_003) / 100
                    realm.add(event)
                    if number % 5 == 0 { event.person = people[number / 5 % people.count] }
                    number += 1
                }
            }
        }
    }

    private static func person(_ number: Int, _ places: [Country], in realm: Realm) -> Person {
        let person = Person()
        person.id = number
        person.name = "\(first[number % first.count]) \(last[number * 5 / 3 % last.count])"
        person.email =
            number % 7 == 3
            ? nil : "\(first[number % first.count].lowercased())\(number)@example.org"
        person.age = 18 + number * 37 % 60
        person.joined = start.addingTimeInterval(Double(number) * 86_400.25)
        person.isActive = number % 3 != 0
        person.balance = Decimal128(value: "\(number * 137 % 9000).\(10 + number % 90)")
        person.rating = number % 5 == 0 ? nil : Double(number * 17 % 50) / 10
        person.biography =
            number % 4 == 0
            ? String(repeating: text + "\n\n", count: 1 + number % 3 * 6)
            : "Likes \(["tea 🍵", "chess ♟️", "maps 🗺️", "owls 🦉"][number % 4])."
        person.token =
            UUID(uuidString: "2F1C9A00-0000-4000-8000-\(String(100_000_000_000 + number))")
            ?? UUID()
        realm.add(person)
        person.country = places[number * 3 % places.count]
        let address = Address()
        address.street = "\(number % 200 + 1) Analytical Lane"
        address.city = ["London", "Wien", "東京", "São Paulo", "Nairobi"][number % 5]
        if number % 2 == 0 {
            let place = Place()
            place.latitude = Double(number % 90) + 0.25
            place.longitude = Double(number % 180) - 0.5
            for text in ["Ring twice 🔔", "The key is under the mat"].prefix(number % 3) {
                let note = Note()
                note.text = text
                note.writtenAt = start
                place.notes.append(note)
            }
            address.place = place
        }
        person.address = address
        for tag in ["early", "mathematician", "🦉", "vip", "beta"].prefix(number % 5) {
            person.tags.insert(tag)
        }
        person.scores["logic"] = Double(number % 100)
        person.scores["poetry"] = Double(number * 3 % 100) / 2
        if number % 3 == 0 {
            person.photo = Data(
                (0..<(64 + number)).map { UInt8(truncatingIfNeeded: $0 * 7 + number) })
        }
        person.extra = extra(number, places)
        return person
    }

    private static func extra(_ number: Int, _ places: [Country]) -> AnyRealmValue {
        switch number % 7 {
        case 0:
            .fromDictionary([
                "theme": .string("dark 🌚"), "zoom": .double(1.25),
                "recent": .fromArray([
                    .int(3), .string("four"),
                    .fromDictionary(["deep": .fromArray([.bool(true), .none, .date(start)])]),
                ]),
            ])
        case 1: .string("plain")
        case 2: .int(number)
        case 3: .object(places[number % places.count])
        case 4: .fromArray([.int(1), .double(2.5), .string("three")])
        case 5: .decimal128(Decimal128(value: "12.34"))
        default: .none
        }
    }

    private static func order(
        _ number: Int, _ people: [Person], _ products: [Product], in realm: Realm
    ) {
        let order = Order()
        order.number =
            (try? ObjectId(string: String(format: "65a1b2c3d4e5f6%010x", number)))
            ?? ObjectId.generate()
        order.status = ["open", "paid", "shipped", "returned"][number * 7 % 4]
        order.placed = start.addingTimeInterval(Double(number) * 7_777)
        realm.add(order)
        order.customer = people[number * 11 % people.count]
        for line in 0...(number % 4) {
            let made = OrderLine()
            made.product = products[(number + line * 29) % products.count]
            made.quantity = line + 1
            order.lines.append(made)
        }
    }

    /// One commit: an event more, and a person older.
    static func change(_ number: Int, in realm: Realm) throws {
        try realm.write {
            let event = Event()
            event.kind = kinds[number % kinds.count]
            event.number = 1_000_000_000 + number
            event.at = start
            event.value = Double(number)
            realm.add(event)
            realm.object(ofType: Person.self, forPrimaryKey: number % 20)?.age += 1
        }
    }

    /// Reads the count and the first 50 events of a query, as Studio does.
    static func seconds(ofAsking query: String, in realm: Realm) throws -> Double {
        let begin = ContinuousClock.now
        let found = realm.objects(Event.self).filter(try RealmPredicate(parsing: query))
        var sum = found.count
        for event in found.prefix(50) {
            sum += event.kind.count + event.number + (event.person?.id ?? 0)
            sum += Int(event.value + event.at.timeIntervalSinceReferenceDate)
        }
        let time = ContinuousClock.now - begin
        guard sum != .min else { return 0 }
        return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    }
}
