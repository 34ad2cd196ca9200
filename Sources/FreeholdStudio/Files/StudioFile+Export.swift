import FlyingFox
extension StudioFile {
    nonisolated func export(_ parameters: Parameters) async throws -> HTTPResponse { throw RequestError(404, "later") }
}
