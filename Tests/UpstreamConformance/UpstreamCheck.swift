package import FreeholdSharing

/// What every ``Upstream`` must do. A suite runs all of them over its upstream:
///
/// ```swift
/// @Test(arguments: UpstreamCheck.allCases)
/// func conforms(_ check: UpstreamCheck) async throws { try await check(MyUpstream()) }
/// ```
///
/// Checks take names of their own, so many can run at once over one upstream.
package enum UpstreamCheck: String, CaseIterable, Sendable {
    case beginsEmpty
    case names
    case unfitNames
    case longNames
    case appends
    case largePushes
    case repeatedPushes
    case newerConnections
    case conflicts
    case readsByBytes
    case epochsFromNothing
    case epochsFromSnapshots
    case epochsThatDoNotBegin
    case epochsBegunTwice
    case epochsBegunAtOnce
    case unseededEpochs
    case oldEpochsRefuse
    case trims
    case trimsNothingYoung
    case snapshots
    case snapshotsThatAreCut
    case snapshotsOfOtherEpochs
    case snapshotsAboveTheHead
    case tokens
    case waits
    case cancelledWaits
    case cancelledSnapshots
    case closing
    case pushesAtOnce
    case comparesAndSets

    package func callAsFunction(_ upstream: any Upstream) async throws {
        let room = CheckRoom(upstream)
        switch self {
        case .beginsEmpty: try await room.beginsEmpty()
        case .names: try await room.names()
        case .unfitNames: try await room.unfitNames()
        case .longNames: try await room.longNames()
        case .appends: try await room.appends()
        case .largePushes: try await room.largePushes()
        case .repeatedPushes: try await room.repeatedPushes()
        case .newerConnections: try await room.newerConnections()
        case .conflicts: try await room.conflicts()
        case .readsByBytes: try await room.readsByBytes()
        case .epochsFromNothing: try await room.epochsFromNothing()
        case .epochsFromSnapshots: try await room.epochsFromSnapshots()
        case .epochsThatDoNotBegin: try await room.epochsThatDoNotBegin()
        case .epochsBegunAtOnce: try await room.epochsBegunAtOnce()
        case .epochsBegunTwice: try await room.epochsBegunTwice()
        case .unseededEpochs: try await room.unseededEpochs()
        case .oldEpochsRefuse: try await room.oldEpochsRefuse()
        case .trims: try await room.trims()
        case .trimsNothingYoung: try await room.trimsNothingYoung()
        case .snapshots: try await room.snapshots()
        case .snapshotsThatAreCut: try await room.snapshotsThatAreCut()
        case .snapshotsOfOtherEpochs: try await room.snapshotsOfOtherEpochs()
        case .snapshotsAboveTheHead: try await room.snapshotsAboveTheHead()
        case .tokens: try await room.tokens()
        case .waits: try await room.waits()
        case .cancelledWaits: try await room.cancelledWaits()
        case .cancelledSnapshots: try await room.cancelledSnapshots()
        case .closing: try await room.closing()
        case .pushesAtOnce: try await room.pushesAtOnce()
        case .comparesAndSets: try await room.comparesAndSets()
        }
    }
}
