/// The configuration that a realm shares with the frozen realms of its versions. A copy would
/// retain each of a dozen members.
final class SharedConfiguration: Sendable {
    let value: Realm.Configuration

    init(_ value: Realm.Configuration) { self.value = value }
}
