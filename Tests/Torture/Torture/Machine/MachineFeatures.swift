import Freehold
import FreeholdTestSupport

/// What one seed of `torture machine` makes use of. Each seed draws a subset: bugs hide where
/// something is never done, as well as where everything is.
struct MachineFeatures: OptionSet, CustomStringConvertible {
    let rawValue: Int

    static let encryption = MachineFeatures(rawValue: 1 << 0)
    static let severalProcesses = MachineFeatures(rawValue: 1 << 1)
    static let faults = MachineFeatures(rawValue: 1 << 2)
    static let deaths = MachineFeatures(rawValue: 1 << 3)
    static let clockJumps = MachineFeatures(rawValue: 1 << 4)
    static let synchronousWrites = MachineFeatures(rawValue: 1 << 5)
    static let grouping = MachineFeatures(rawValue: 1 << 6)
    static let cancellation = MachineFeatures(rawValue: 1 << 7)
    static let observers = MachineFeatures(rawValue: 1 << 8)
    static let frozenRealms = MachineFeatures(rawValue: 1 << 9)
    static let reopening = MachineFeatures(rawValue: 1 << 10)
    static let compaction = MachineFeatures(rawValue: 1 << 11)
    static let copies = MachineFeatures(rawValue: 1 << 12)
    /// At the end, one process sleeps on, with its faults, and the others must do without it.
    static let sleeper = MachineFeatures(rawValue: 1 << 13)
    /// Deaths lose writes that were not synced. Of one process alone: with the power, all would go.
    static let power = MachineFeatures(rawValue: 1 << 14)
    /// An actor whose tasks wait in `asyncWrite`: their groups rest for one another.
    static let tasks = MachineFeatures(rawValue: 1 << 15)

    private static let names = [
        "encryption", "several processes", "faults", "deaths", "clock jumps", "synchronous writes",
        "grouping",
        "cancellation", "observers", "frozen realms", "reopening", "compaction", "copies",
        "sleeper",
        "power cuts", "tasks",
    ]

    static func drawn(_ random: inout SeededGenerator) -> MachineFeatures {
        MachineFeatures(rawValue: random.int(0...1 << names.count - 1))
    }

    var description: String {
        Self.names.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element).joined(
            separator: ", ")
    }
}

/// What a process of the machine does in one step, as the controller tells it: a line with the
/// name, the number of one of its schedulers, and a number that decides the rest.
enum MachineAction: String, CaseIterable {
    /// Asks for an asynchronous write.
    case ask
    /// Lets the time of the next deadline come.
    case deadline
    /// Runs what the scheduler has.
    case run
    /// Writes synchronously.
    case write
    /// A task of the actor asks for a write.
    case task
    /// Runs the actor's jobs.
    case runTasks
    case cancelTask
    case cancel, observe, freeze, refresh, invalidate, reopen, compact, copy
    /// Makes a call of the operating system fail, or the process die in it.
    case fault
    /// Ends all faults and opens every realm again.
    case heal
    /// Moves the wall clock.
    case clock
    /// Nothing: its threads come to rest.
    case rest
    /// Lets time pass until no turn is offered.
    case pass
    /// Runs what all schedulers have.
    case drain

    /// Whether it asks for a write.
    var asks: Bool { [.ask, .write, .task].contains(self) }

    var cannotThrow: Bool { [.refresh, .freeze, .observe, .invalidate].contains(self) }

    /// Whether it may wait for the write lock: what opens a file may write, too.
    var mayWait: Bool {
        switch self {
        case .write, .reopen, .compact, .heal: true
        default: false
        }
    }

    /// How often it is drawn; 0 if a seed does not make use of it.
    func weight(_ features: MachineFeatures) -> Int {
        func weight(_ feature: MachineFeatures, _ weight: Int) -> Int {
            features.contains(feature) ? weight : 0
        }
        return switch self {
        case .ask: 30
        case .deadline: 6
        case .run: 50
        case .write: weight(.synchronousWrites, 8)
        case .task: weight(.tasks, 15)
        case .runTasks: weight(.tasks, 25)
        case .cancelTask: features.isSuperset(of: [.tasks, .cancellation]) ? 3 : 0
        case .cancel: weight(.cancellation, 5)
        case .observe: weight(.observers, 4)
        case .freeze: weight(.frozenRealms, 5)
        case .refresh: 5
        case .invalidate: weight(.reopening, 2)
        case .reopen: weight(.reopening, 3)
        case .compact: weight(.compaction, 2)
        case .copy: weight(.copies, 2)
        case .fault: features.isDisjoint(with: [.faults, .deaths]) ? 0 : 4
        case .heal: weight(.faults, 3)
        case .clock: weight(.clockJumps, 3)
        // What the controller does between steps.
        case .rest, .pass, .drain: 0
        }
    }
}
