import Foundation
import Freehold

extension ModelSession {
    func askPeer(_ operation: ModelOperation) throws {
        // It would wait for this process, which waits for it.
        if open != nil { return }
        try drainAll()
        _ = try realm(0)
        switch operation.name {
        case .peerWrite:
            let (count, number) = (1 + operation.b % 6, operation.c)
            trace?("    the other process writes")
            let changes = ModelChanges(head, realm: nil, trace: trace)
            for change in ModelOperation.changes(count, from: number, local: false) {
                try changes.apply(change)
            }
            changes.finish()
            let reply = try peer(.write, count, number)
            advance(to: changes.model)
            try expect(reply, head.time, "the other process wrote")
            if operation.d % 2 == 0 { try refreshAll() }
        case .peerRead:
            trace?("    the other process reads")
            try expect(try peer(.read), head.time, "the other process reads")
        case .peerHold:
            trace?("    the other process holds version \(head.time)")
            let reply = try peer(.hold)
            peerHold = reply.time
            try expect(reply, head.time, "the other process holds")
        case .peerRelease:
            if peerHold != nil { try releasePeerHold() }
        case .peerKillInTransaction:
            trace?("    the other process is killed in a transaction")
            _ = try peer(.begin, 1 + operation.b % 6, operation.c)
            killPeer()
            // Nothing of it remains, and nothing waits for it.
            try begin(operation.a % 3)
            try commit()
        default:
            trace?("    the other process is killed")
            killPeer()
        }
    }

    private func peer(_ action: ModelPeerRequest.Action, _ count: Int = 0, _ number: Int = 0) throws
        -> ModelPeerReply
    {
        var request = ModelPeerRequest(action: .open)
        if !isPeerOpen {
            request.path = configuration().fileURL?.path ?? ""
            (request.isEncrypted, request.isTiny, request.isSynced, request.schemaVersion) = (
                sequence.isEncrypted, sequence.isTiny, sequence.isSynced, schemaVersion
            )
            _ = try peer.ask(request)
            isPeerOpen = true
        }
        (request.action, request.count, request.number) = (action, count, number)
        return try peer.ask(request)
    }

    private func expect(_ reply: ModelPeerReply, _ time: Int, _ what: String) throws {
        if reply.time != time {
            throw ModelDifference("\(what) version \(reply.time), not \(time)")
        }
        if reply.fingerprint != version(time)?.fingerprint {
            throw ModelDifference("\(what) version \(time), and has other values than the model")
        }
    }

    func releasePeerHold() throws {
        guard let time = peerHold else { return }
        trace?("    the other process releases version \(time)")
        peerHold = nil
        try expect(try peer(.release), time, "the other process held")
    }

    private func killPeer() {
        peer.kill()
        (isPeerOpen, peerHold) = (false, nil)
    }

    func closePeer() throws {
        if isPeerOpen { _ = try peer(.close) }
        (isPeerOpen, peerHold) = (false, nil)
    }

    private func refreshAll() throws {
        for place in places.indices where places[place].realm != nil {
            places[place].realm?.refresh()
            try verifyNewest(place)
        }
    }
}
