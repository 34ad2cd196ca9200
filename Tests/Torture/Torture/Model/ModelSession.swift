import Foundation
import Freehold
import FreeholdStorage

/// One sequence, run against a file: realms of it, their observers, what is frozen, another
/// process, and the model of each version.
///
/// Everything happens on one thread, that of ``ModelActor``. Two realms are on schedulers that
/// are stepped by hand, the third is the thread's own.
final class ModelSession {
    typealias Item = ModelClasses.Item

    struct Place {
        var realm: Realm?
        /// Nil of the thread's own realm.
        let scheduler: ManualScheduler?
        var autorefresh = true
        /// The version that it read when it was looked at last. None goes back.
        var lastTime = 0
    }

    /// A frozen realm and the version that it must stay at.
    struct Hold {
        let realm: Realm
        let time: Int
        let item: Item?
    }

    let sequence: ModelSequence
    let directory: URL
    let trace: ((String) -> Void)?
    var schemaVersion: UInt64 = 0
    var places: [Place]
    /// The newest version, whether it is on the disk already or not.
    var head = PlainModel()
    /// Every version that was committed, by the time on its clock.
    private(set) var history: [Int: PlainModel] = [0: PlainModel()]
    private var knownFingerprints: [Int: ModelFingerprints] = [:]
    /// The open transaction.
    var open: (place: Int, changes: ModelChanges)?
    var mirrors: [ModelMirror] = []
    var holds: [Hold] = []
    /// What was found in callbacks, which cannot throw.
    var differences: [String] = []
    var lastTicket = 0
    /// Asynchronous writes that may still be cancelled.
    var asyncIDs: [(place: Int, id: Realm.AsyncTransactionId)] = []
    let peer: ModelPeerProcess
    var isPeerOpen = false
    var peerHold: Int?
    var copies = 0

    init(
        _ sequence: ModelSequence, in directory: URL, peer: ModelPeerProcess,
        trace: ((String) -> Void)?
    ) {
        (self.sequence, self.directory, self.peer, self.trace) = (sequence, directory, peer, trace)
        places = [
            Place(scheduler: ManualScheduler()), Place(scheduler: ManualScheduler()),
            Place(scheduler: nil, autorefresh: false),
        ]
        TestHooks.install(sequence.isTiny ? .tiny : TestHooks())
    }

    /// Whether the library was built with encryption.
    #if Encryption
    static let canEncrypt = true
    #else
    static let canEncrypt = false
    #endif

    static func key(_ number: UInt8) -> Data { Data((0..<64).map { UInt8($0) &* 3 &+ number }) }

    func configuration(_ types: [ObjectBase.Type] = ModelClasses.all) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: directory.appendingPathComponent("model.realm"),
            encryptionKey: sequence.isEncrypted ? Self.key(1) : nil, schemaVersion: schemaVersion,
            objectTypes: types)
        configuration.durability = sequence.isSynced ? .full : .none
        return configuration
    }

    // MARK: Realms

    /// The realm of a place; opened if it is not.
    func realm(_ place: Int) throws -> Realm {
        if let realm = places[place].realm { return realm }
        let realm = try opened { configuration in
            if let scheduler = self.places[place].scheduler {
                try Realm(configuration: configuration, scheduler: scheduler)
            } else {
                try Realm(configuration: configuration)
            }
        }
        realm.autorefresh = places[place].autorefresh
        places[place].realm = realm
        return realm
    }

    /// A realm of a file that may still be open as it was before a migration, until another
    /// thread has released it.
    func opened(
        _ types: [ObjectBase.Type] = ModelClasses.all, migrating block: MigrationBlock? = nil,
        _ open: (Realm.Configuration) throws -> Realm
    ) throws -> Realm {
        var configuration = configuration(types)
        configuration.migrationBlock = block
        let deadline = Date(timeIntervalSinceNow: 2)
        while true {
            do {
                return try open(configuration)
            } catch let error as Realm.Error where error.code == .alreadyOpen && Date() < deadline {
                usleep(500)
            }
        }
    }

    /// The version that a realm reads, as its clock says.
    func time(of place: Int) -> Int {
        places[place].realm?.object(ofType: ModelClasses.Clock.self, forPrimaryKey: 0)?.time ?? 0
    }

    /// What the realm of a place should have now.
    func model(of place: Int) -> PlainModel {
        if let open, open.place == place {
            var model = open.changes.model
            // Its clock is set at the end.
            (model.time, model.serial) = (head.time, head.serial)
            if !open.changes.hasChanges
                || places[place].realm?.object(ofType: ModelClasses.Clock.self, forPrimaryKey: 0)
                    != nil
            {
                return model
            }
            (model.time, model.serial) = (0, 0)
            return model
        }
        let time = time(of: place)
        guard let model = history[time] else {
            differences.append("realm \(place) reads version \(time), which was never committed")
            return head
        }
        return model
    }

    func fingerprints(_ place: Int) -> ModelFingerprints {
        let time = time(of: place)
        if open?.place != place, let known = knownFingerprints[time] { return known }
        let created = ModelFingerprints(model(of: place))
        if open?.place != place {
            if knownFingerprints.count > 6 { knownFingerprints = [:] }
            knownFingerprints[time] = created
        }
        return created
    }

    /// A transaction is committed, in memory or on the disk.
    func advance(to model: PlainModel) {
        if model.time == head.time { return }
        head = model
        history[model.time] = model
        knownFingerprints[model.time] = nil
        lastTicket = max(lastTicket, model.tickets.keys.max() ?? 0)
    }

    /// A version that was committed; nil if it never was.
    func version(_ time: Int) -> PlainModel? { history[time] }

    // MARK: Verifying

    /// Verifies that a realm has what it should have.
    func verify(_ place: Int) throws {
        let realm = try realm(place)
        let time = time(of: place)
        if open?.place != place, time < places[place].lastTime {
            throw ModelDifference(
                "realm \(place) went back from version \(places[place].lastTime) to \(time)")
        }
        if open?.place != place { places[place].lastTime = time }
        if let difference = model(of: place).difference(fromRealm: realm) {
            throw ModelDifference(
                """
                realm \(place)\(open?.place == place ? ", in its transaction" : ""), \
                version \(time) of \(head.time):\n\(difference)
                """
            )
        }
    }

    /// Verifies a realm, and that it is at the newest version.
    func verifyNewest(_ place: Int) throws {
        try verify(place)
        if time(of: place) != head.time {
            throw ModelDifference(
                "realm \(place) reads version \(time(of: place)), not \(head.time)")
        }
    }

    func verifyAll() throws {
        for place in places.indices where places[place].realm != nil { try verify(place) }
    }

    func throwDifferences() throws {
        if !differences.isEmpty { throw ModelDifference(differences.joined(separator: "\n")) }
    }
}

/// Sessions run on one thread, also after they have waited: schedulers that are stepped by hand
/// belong to one.
@globalActor
actor ModelActor: PinnedActor {
    static let shared = ModelActor()
    let executor = PinnedExecutor("model")
}
