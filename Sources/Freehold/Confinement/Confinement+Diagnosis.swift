extension Confinement {
    /// Where the realm was opened. The thread's name is its current one; empty if the thread has
    /// ended.
    var place: ConfinementViolation.Place {
        ConfinementViolation.Place(
            kind: placeKind, file: opening.fileID.description, line: opening.line,
            threadID: opening.thread.systemID, threadName: opening.thread.name,
            isMainThread: opening.thread.isMain, queue: opening.queue,
            actor: domain == .main ? nil : actorName,
            actorAddress: domain == .main ? nil : opening.actorAddress, executor: nil)
    }

    private var actorName: String? { opening.actorClass.map { String(describing: $0) } }

    private var placeKind: ConfinementViolation.Place.Kind {
        switch domain {
        case .main: .main
        case .queue: .serialQueue
        case .actor: .actor
        case .scheduler: scheduler is OpeningTask ? .task : .scheduler
        case .thread, .frozen:
            opening.actorClass != nil ? .actor : opening.isOnTaskPool ? .task : .thread
        }
    }

    /// The owner of the realm, for the remedy.
    var owner: ConfinementRemedy.Owner {
        switch domain {
        case .main: .main
        case .queue: .queue(opening.queue ?? "")
        case .actor: .actor(actorName ?? "")
        case .scheduler where scheduler is OpeningTask: .task
        case .scheduler where opening.actorClass != nil: .actor(actorName ?? "")
        case .scheduler: .scheduler(scheduler?.name ?? "")
        case .thread where (scheduler as? ThreadScheduler)?.isExecutor == true:
            .executorThread(scheduler?.name ?? "", actor: actorName)
        case .thread: opening.isOnTaskPool ? .poolThread(actor: actorName) : .thread
        case .frozen: .frozen
        }
    }
}
