import Freehold
import FreeholdRealmTestSupport

/// The members that read and delete history.
extension ConfinedEntry {
    static let historyChanges = ConfinedEntry("Realm.historyChanges(after:)") {
        _ = $0.realm.historyChanges()
    }

    static let history: [String: ConfinedEntry] = [
        "realm.historyToken": .init("Realm.historyToken") { _ = try $0.realm.historyToken },
        "realm.history": .init("Realm.history(after:)") { _ = try $0.realm.history() },
        "realm.deleteHistory": .init("Realm.deleteHistory(before:)") {
            guard let token = HistoryToken(String(repeating: "0", count: 32) + "-0-0") else {
                preconditionFailure("This is a token.")
            }
            try $0.realm.deleteHistory(before: token)
        },
        "realm.write(author:)": .init("Realm.write") { try $0.realm.write(author: "me") {} },
    ]
}
