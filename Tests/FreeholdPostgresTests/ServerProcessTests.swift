import Foundation
import FreeholdTestSupport
@testable import PostgresServer
import Testing

/// How the tests start servers, and programs beside them.
@Suite struct ServerProcessTests {
    /// A server that inherits the pipe of a program that starts beside it would keep it open: who
    /// reads what the program prints would wait for the end of the server.
    @Test(.timeLimit(.minutes(10))) func serversInheritNothing() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await onThread {
                        for _ in 0..<300 {
                            let text = try ServerFiles.runCommand(["/bin/echo", "a"])
                            #expect(text == "a")
                        }
                    }
                }
            }
            group.addTask {
                try await onThread {
                    var servers: [ServerProcess] = []
                    for _ in 0..<200 {
                        servers.append(
                            try ServerProcess(
                                [
                                    "/bin/sh", "-c",
                                    "echo ready to accept >&2; exec sleep 1000",
                                ]))
                    }
                    for server in servers {
                        server.signal(SIGKILL)
                        server.waitForEnd()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
