import Foundation
import Freehold

extension ModelSession {
    func live(_ operation: ModelOperation) throws {
        let place = operation.a % 3
        switch operation.name {
        case .check:
            let problems = try realm(place).check()
            if !problems.isEmpty {
                throw ModelDifference("check() says: \(problems.joined(separator: "; "))")
            }
        case .copy: try copy(place, operation)
        case .invalidate:
            trace?("    realm \(place).invalidate()")
            if let open, open.place == place { self.open = nil } else { try drain(place) }
            let realm = try realm(place)
            for mirror in mirrors where mirror.place == place { mirror.token?.invalidate() }
            mirrors.removeAll { $0.place == place }
            realm.invalidate()
            try verify(place)
        default:
            if open != nil { return }
            try drainAll()
            switch operation.name {
            case .close:
                trace?("    realm \(place) is closed")
                close(place)
                try reopened(place)
            case .compact: try compact(place)
            case .reopen:
                closeAll()
                try reopened(place)
            default: try migrate(operation)
            }
        }
    }

    /// It may be the one that was there, if something that waits for its thread has kept it open.
    private func reopened(_ place: Int) throws {
        try realm(place).refresh()
        try verifyNewest(place)
    }

    private func compact(_ place: Int) throws {
        do {
            let bytes = try realm(place).compact()
            trace?("    realm \(place).compact() = \(bytes)")
            if isPeerOpen {
                throw ModelDifference("the file was compacted while another process has it open")
            }
        } catch Realm.Error.alreadyOpen where isPeerOpen {
            trace?("    realm \(place).compact() is refused")
        }
        try verifyNewest(place)
        try verifyAll()
        try verifyHolds()
    }

    /// A copy has what the realm reads, changes of its open transaction included.
    private func copy(_ place: Int, _ operation: ModelOperation) throws {
        let realm = try realm(place)
        copies += 1
        let url = directory.appendingPathComponent("copy \(copies).realm")
        let key = operation.b % 2 == 1 && Self.canEncrypt ? Self.key(9) : nil
        trace?("    realm \(place).writeCopy(toFile:\(key == nil ? "" : " encryptionKey:"))")
        try realm.writeCopy(toFile: url, encryptionKey: key)
        var configuration = configuration()
        (configuration.fileURL, configuration.encryptionKey) = (url, key)
        configuration.durability = .none
        do {
            let copy = try Realm(configuration: configuration, scheduler: ManualScheduler())
            if let difference = model(of: place).difference(fromRealm: copy) {
                throw ModelDifference("the copy of realm \(place):\n\(difference)")
            }
            let problems = try copy.check()
            if !problems.isEmpty {
                throw ModelDifference(
                    "check() says of the copy: \(problems.joined(separator: "; "))")
            }
        }
        // The realm goes on with what it had.
        try verify(place)
        for file in try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: nil)
        where file.lastPathComponent.hasPrefix("copy ") {
            try FileManager.default.removeItem(at: file)
        }
    }

    // MARK: Migrating

    private struct Refused: Error {}

    /// Everything is closed before.
    private func migrate(_ operation: ModelOperation) throws {
        let number = operation.b % 24
        switch operation.c % 4 {
        case 0:
            // One that throws leaves everything as it was.
            trace?("    a migration that throws")
            schemaVersion += 1
            do {
                _ = try opened(migrating: { migration, _ in
                    migration.enumerateObjects(ofType: "Item") { _, new in new?["rank"] = number }
                    throw Refused()
                }) { try Realm(configuration: $0) }
                throw ModelDifference("a migration that throws opened the file")
            } catch is Refused {}
            schemaVersion -= 1
        case 1, 2: try migrateItems(number)
        default: try migrateNotes()
        }
        for place in places.indices {
            places[place].lastTime = min(places[place].lastTime, head.time)
        }
        try verifyNewest(0)
    }

    /// The classes stay; objects are changed, made and deleted.
    private func migrateItems(_ number: Int) throws {
        trace?("    a migration sets item.rank, makes notes and deletes some")
        schemaVersion += 1
        var model = head
        let doomed = model.noteKeys.filter { $0 % 3 == number % 3 }
        let serial = model.serial + 1
        for key in model.itemKeys where model.items[key]![.rank].int! > 10 {
            model.items[key]![.rank] = .int(number)
        }
        _ = model.delete(doomed.map { PlainLink(type: .note, key: $0) })
        model.notes[serial] = PlainNote(text: "migrated", number: number)
        let wanted = model
        try reopen(migrating: { migration, _ in
            migration.enumerateObjects(ofType: "Item") { old, new in
                if let rank = old?["rank"] as? Int, rank > 10 { new?["rank"] = number }
            }
            migration.enumerateObjects(ofType: "Note") { old, new in
                if let new, let serial = old?["serial"] as? Int, doomed.contains(serial) {
                    migration.delete(new)
                }
            }
            migration.create(
                "Note", value: ["serial": serial, "text": "migrated", "number": number])
        })
        model = wanted
        model.serial = serial
        try settle(model)
    }

    /// To other classes and back: a property gets another name, one another type, two are lost.
    private func migrateNotes() throws {
        trace?("    a migration of Note to another class, and back")
        schemaVersion += 1
        var model = head
        do {
            let realm = try opened(
                ModelClasses.migrated,
                migrating: { migration, _ in
                    migration.renameProperty(onType: "Note", from: "text", to: "words")
                    migration.enumerateObjects(ofType: "Note") { old, new in
                        new?["number"] = "\(old?["number"] as? Int ?? 0)"
                    }
                }
            ) { try Realm(configuration: $0, scheduler: ManualScheduler()) }
            for note in realm.objects(ModelClasses.MigratedNote.self) {
                guard let plain = model.notes[note.serial] else {
                    throw ModelDifference("note \(note.serial) is there after a migration")
                }
                if note.words != plain.text || note.number != "\(plain.number)" {
                    throw ModelDifference(
                        """
                        note \(note.serial) has \(note.words) and \(note.number ?? "nil") \
                        after a migration, not \(plain)
                        """
                    )
                }
            }
            if realm.objects(ModelClasses.MigratedNote.self).count != model.notes.count {
                throw ModelDifference("notes were lost in a migration")
            }
            let problems = try realm.check()
            if !problems.isEmpty {
                throw ModelDifference(
                    "check() says after a migration: \(problems.joined(separator: "; "))")
            }
        }
        schemaVersion += 1
        for key in model.notes.keys {
            model.notes[key]!.item = nil
            model.notes[key]!.items = []
        }
        try reopen(migrating: { migration, _ in
            migration.renameProperty(onType: "Note", from: "words", to: "text")
            migration.enumerateObjects(ofType: "Note") { old, new in
                new?["number"] = (old?["number"] as? String).flatMap { Int($0) } ?? 0
            }
        })
        try settle(model)
    }

    private func reopen(migrating block: @escaping MigrationBlock) throws {
        let realm = try opened(migrating: block) {
            try Realm(configuration: $0, scheduler: self.places[0].scheduler!)
        }
        realm.autorefresh = places[0].autorefresh
        places[0].realm = realm
    }

    /// What was migrated is a version of its own, whose clock is set.
    private func settle(_ migrated: PlainModel) throws {
        var model = migrated
        let realm = try realm(0)
        try realm.write {
            model.time += 1
            realm.create(
                ModelClasses.Clock.self,
                value: ["id": 0, "time": model.time, "serial": model.serial], update: .modified)
        }
        advance(to: model)
        try verifyNewest(0)
    }
}
