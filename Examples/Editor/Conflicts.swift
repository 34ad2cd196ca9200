import Freehold

/// Shows conflicts, and asks how they are settled.
enum Conflicts {
    typealias Resolver = (DraftConflict.Conflict) -> DraftConflict.Resolution?

    /// Tries something that saves, rebases or undoes. If others have changed the same, prints the
    /// conflicts and tries again with a person's decisions. Returns nil if one is left: then
    /// nothing has happened.
    static func settle<Result>(
        _ attempt: () throws -> Result, deciding retry: (Resolver) throws -> Result
    ) throws -> Result? {
        do {
            return try attempt()
        } catch let conflict as DraftConflict {
            Console.say("\(conflict)")
        }
        do {
            return try retry(decide)
        } catch is DraftConflict {
            Console.say("not settled: nothing was changed")
            return nil
        }
    }

    /// Asks about one conflict; nil leaves it.
    private static func decide(_ conflict: DraftConflict.Conflict) -> DraftConflict.Resolution? {
        let words = [conflict.object?.description, conflict.property].compactMap(\.self)
        return switch Console.ask(words.joined(separator: " ") + ": mine or theirs?") {
        case "mine": .mine
        case "theirs": .theirs
        default: nil
        }
    }
}
