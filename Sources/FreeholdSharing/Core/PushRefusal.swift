/// That the server does not permit this client's commits, and when to try again.
struct PushRefusal {
    var error: SharingError
    /// How many pushes were refused, one after the other.
    var count: Int
    /// None is tried before, unless the program asks.
    var retryTime: Double
}
