/// The advice for each owner of a realm and each place that accesses it, word for word.
enum RemedyTable {
    static let texts = unpinned.merging(pinned) { text, _ in text }

    private static let unpinned: [String: String] = [
        "main < thread, reading":
            """
        Run this code on the main thread (DispatchQueue.main.async { … }), or pass a \
        frozen version (freeze()), which may be read anywhere.
        """,
        "main < thread, writing":
            """
        Write on the main thread, which writeAsync does not hold up \
        (DispatchQueue.main.async { realm.writeAsync { … } }), or open a realm here \
        with Realm(configuration:) and pass objects to it with @ThreadSafe or as a \
        ThreadSafeReference.
        """,
        "main < serialQueue, reading":
            """
        Run this code on the main thread (DispatchQueue.main.async { … }), or pass a \
        frozen version (freeze()), which may be read anywhere.
        """,
        "main < serialQueue, writing":
            """
        Write on the main thread, which writeAsync does not hold up \
        (DispatchQueue.main.async { realm.writeAsync { … } }), or open a realm for the \
        queue 'test.serial' with Realm(queue:) and pass objects to it as a \
        ThreadSafeReference.
        """,
        "main < concurrentQueue, reading":
            """
        Run this code on the main thread (DispatchQueue.main.async { … }), or pass a \
        frozen version (freeze()), which may be read anywhere.
        """,
        "main < concurrentQueue, writing":
            """
        Write on the main thread, which writeAsync does not hold up \
        (DispatchQueue.main.async { realm.writeAsync { … } }), or use a serial queue \
        with a realm of its own (Realm(queue:)) in place of the concurrent queue \
        'test.concurrent'.
        """,
        "main < task, reading":
            """
        Run this code on the main actor (await MainActor.run { … }), or pass a frozen \
        version (freeze()), which may be read anywhere.
        """,
        "main < task, writing":
            """
        Write in a @MainActor function, which asyncWrite does not hold up (try await \
        realm.asyncWrite { … }), or work in Realm.performBackgroundTask { realm in … } \
        and pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "main < actor, reading":
            """
        Run this code on the main actor (await MainActor.run { … }), or pass a frozen \
        version (freeze()), which may be read anywhere.
        """,
        "main < actor, writing":
            """
        Write in a @MainActor function, which asyncWrite does not hold up (try await \
        realm.asyncWrite { … }), or open a realm for the actor 'OtherActor' with \
        Realm.open and pass objects to it as a ThreadSafeReference.
        """,

        "thread < main, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or open a realm \
        here with Realm(configuration:) and pass objects to it with @ThreadSafe or as \
        a ThreadSafeReference.
        """,
        "thread < main, writing":
            """
        The realm belongs to one thread: open a realm here with Realm(configuration:) \
        and pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "thread < thread, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or open a realm \
        here with Realm(configuration:) and pass objects to it with @ThreadSafe or as \
        a ThreadSafeReference.
        """,
        "thread < thread, writing":
            """
        The realm belongs to one thread: open a realm here with Realm(configuration:) \
        and pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "thread < serialQueue, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or open a realm \
        for the queue 'test.serial' with Realm(queue:) and pass objects to it as a \
        ThreadSafeReference.
        """,
        "thread < serialQueue, writing":
            """
        The realm belongs to one thread: open a realm for the queue 'test.serial' with \
        Realm(queue:) and pass objects to it as a ThreadSafeReference.
        """,
        "thread < concurrentQueue, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or use a serial \
        queue with a realm of its own (Realm(queue:)) in place of the concurrent queue \
        'test.concurrent'.
        """,
        "thread < concurrentQueue, writing":
            """
        The realm belongs to one thread: use a serial queue with a realm of its own \
        (Realm(queue:)) in place of the concurrent queue 'test.concurrent'.
        """,
        "thread < task, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or work in \
        Realm.performBackgroundTask { realm in … } and pass objects to it with \
        @ThreadSafe or as a ThreadSafeReference.
        """,
        "thread < task, writing":
            """
        The realm belongs to one thread: work in Realm.performBackgroundTask { realm \
        in … } and pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "thread < actor, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or open a realm \
        for the actor 'OtherActor' with Realm.open and pass objects to it as a \
        ThreadSafeReference.
        """,
        "thread < actor, writing":
            """
        The realm belongs to one thread: open a realm for the actor 'OtherActor' with \
        Realm.open and pass objects to it as a ThreadSafeReference.
        """,

        "queue < main, reading":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "queue < main, writing":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or open a realm here with Realm(configuration:) and pass \
        objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "queue < thread, reading":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "queue < thread, writing":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or open a realm here with Realm(configuration:) and pass \
        objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "queue < serialQueue, reading":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "queue < serialQueue, writing":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or open a realm for the queue 'test.serial' with \
        Realm(queue:) and pass objects to it as a ThreadSafeReference.
        """,
        "queue < concurrentQueue, reading":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "queue < concurrentQueue, writing":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or use a serial queue with a realm of its own \
        (Realm(queue:)) in place of the concurrent queue 'test.concurrent'.
        """,
        "queue < task, reading":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "queue < task, writing":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or work in Realm.performBackgroundTask { realm in … } and \
        pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "queue < actor, reading":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "queue < actor, writing":
            """
        Run this code on the queue 'test.home' that the realm was opened for \
        (queue.async { … }), or open a realm for the actor 'OtherActor' with \
        Realm.open and pass objects to it as a ThreadSafeReference.
        """,

        "actor < main, reading":
            """
        Run this code in a method of the actor 'HomeActor' (Task { await … }), or pass \
        a frozen version (freeze()), which may be read anywhere.
        """,
        "actor < main, writing":
            """
        Write in a method of the actor 'HomeActor' (try await realm.asyncWrite { … }), \
        or open a realm here with Realm(configuration:) and pass objects to it with \
        @ThreadSafe or as a ThreadSafeReference.
        """,
        "actor < thread, reading":
            """
        Run this code in a method of the actor 'HomeActor' (Task { await … }), or pass \
        a frozen version (freeze()), which may be read anywhere.
        """,
        "actor < thread, writing":
            """
        Write in a method of the actor 'HomeActor' (try await realm.asyncWrite { … }), \
        or open a realm here with Realm(configuration:) and pass objects to it with \
        @ThreadSafe or as a ThreadSafeReference.
        """,
        "actor < serialQueue, reading":
            """
        Run this code in a method of the actor 'HomeActor' (Task { await … }), or pass \
        a frozen version (freeze()), which may be read anywhere.
        """,
        "actor < serialQueue, writing":
            """
        Write in a method of the actor 'HomeActor' (try await realm.asyncWrite { … }), \
        or open a realm for the queue 'test.serial' with Realm(queue:) and pass \
        objects to it as a ThreadSafeReference.
        """,
        "actor < concurrentQueue, reading":
            """
        Run this code in a method of the actor 'HomeActor' (Task { await … }), or pass \
        a frozen version (freeze()), which may be read anywhere.
        """,
        "actor < concurrentQueue, writing":
            """
        Write in a method of the actor 'HomeActor' (try await realm.asyncWrite { … }), \
        or use a serial queue with a realm of its own (Realm(queue:)) in place of the \
        concurrent queue 'test.concurrent'.
        """,
        "actor < task, reading":
            """
        Run this code in a method of the actor 'HomeActor', or pass a frozen version \
        (freeze()), which may be read anywhere.
        """,
        "actor < task, writing":
            """
        Write in a method of the actor 'HomeActor' (try await realm.asyncWrite { … }), \
        or work in Realm.performBackgroundTask { realm in … } and pass objects to it \
        with @ThreadSafe or as a ThreadSafeReference.
        """,
        "actor < actor, reading":
            """
        Run this code in a method of the actor 'HomeActor', or pass a frozen version \
        (freeze()), which may be read anywhere.
        """,
        "actor < actor, writing":
            """
        Write in a method of the actor 'HomeActor' (try await realm.asyncWrite { … }), \
        or open a realm for the actor 'OtherActor' with Realm.open and pass objects to \
        it as a ThreadSafeReference.
        """,

        "scheduler < main, reading":
            """
        Run this code on a manual scheduler (run(_:)), or pass a frozen version \
        (freeze()), which may be read anywhere.
        """,
        "scheduler < main, writing":
            """
        Run this code on a manual scheduler (run(_:)), or open a realm here with \
        Realm(configuration:) and pass objects to it with @ThreadSafe or as a \
        ThreadSafeReference.
        """,
        "scheduler < thread, reading":
            """
        Run this code on a manual scheduler (run(_:)), or pass a frozen version \
        (freeze()), which may be read anywhere.
        """,
        "scheduler < thread, writing":
            """
        Run this code on a manual scheduler (run(_:)), or open a realm here with \
        Realm(configuration:) and pass objects to it with @ThreadSafe or as a \
        ThreadSafeReference.
        """,
        "scheduler < serialQueue, reading":
            """
        Run this code on a manual scheduler (run(_:)), or pass a frozen version \
        (freeze()), which may be read anywhere.
        """,
        "scheduler < serialQueue, writing":
            """
        Run this code on a manual scheduler (run(_:)), or open a realm for the queue \
        'test.serial' with Realm(queue:) and pass objects to it as a \
        ThreadSafeReference.
        """,
        "scheduler < concurrentQueue, reading":
            """
        Run this code on a manual scheduler (run(_:)), or pass a frozen version \
        (freeze()), which may be read anywhere.
        """,
        "scheduler < concurrentQueue, writing":
            """
        Run this code on a manual scheduler (run(_:)), or use a serial queue with a \
        realm of its own (Realm(queue:)) in place of the concurrent queue \
        'test.concurrent'.
        """,
        "scheduler < task, reading":
            """
        Run this code on a manual scheduler (run(_:)), or pass a frozen version \
        (freeze()), which may be read anywhere.
        """,
        "scheduler < task, writing":
            """
        Run this code on a manual scheduler (run(_:)), or work in \
        Realm.performBackgroundTask { realm in … } and pass objects to it with \
        @ThreadSafe or as a ThreadSafeReference.
        """,
        "scheduler < actor, reading":
            """
        Run this code on a manual scheduler (run(_:)), or pass a frozen version \
        (freeze()), which may be read anywhere.
        """,
        "scheduler < actor, writing":
            """
        Run this code on a manual scheduler (run(_:)), or open a realm for the actor \
        'OtherActor' with Realm.open and pass objects to it as a ThreadSafeReference.
        """,

        "task < main, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or open a realm \
        here with Realm(configuration:) and pass objects to it with @ThreadSafe or as \
        a ThreadSafeReference.
        """,
        "task < main, writing":
            """
        The realm belongs to one thread: open a realm here with Realm(configuration:) \
        and pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "task < thread, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or open a realm \
        here with Realm(configuration:) and pass objects to it with @ThreadSafe or as \
        a ThreadSafeReference.
        """,
        "task < thread, writing":
            """
        The realm belongs to one thread: open a realm here with Realm(configuration:) \
        and pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "task < serialQueue, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or open a realm \
        for the queue 'test.serial' with Realm(queue:) and pass objects to it as a \
        ThreadSafeReference.
        """,
        "task < serialQueue, writing":
            """
        The realm belongs to one thread: open a realm for the queue 'test.serial' with \
        Realm(queue:) and pass objects to it as a ThreadSafeReference.
        """,
        "task < concurrentQueue, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or use a serial \
        queue with a realm of its own (Realm(queue:)) in place of the concurrent queue \
        'test.concurrent'.
        """,
        "task < concurrentQueue, writing":
            """
        The realm belongs to one thread: use a serial queue with a realm of its own \
        (Realm(queue:)) in place of the concurrent queue 'test.concurrent'.
        """,
        "task < task, reading":
            """
        A task may change threads at each await: open the realm with Realm.open on an \
        actor, or do the whole work in Realm.performBackgroundTask { realm in … }.
        """,
        "task < task, writing":
            """
        A task may change threads at each await: open the realm with Realm.open on an \
        actor, or do the whole work in Realm.performBackgroundTask { realm in … }.
        """,
        "task < actor, reading":
            """
        A task may change threads at each await: open the realm with Realm.open on an \
        actor, or do the whole work in Realm.performBackgroundTask { realm in … }.
        """,
        "task < actor, writing":
            """
        A task may change threads at each await: open the realm with Realm.open on an \
        actor, or do the whole work in Realm.performBackgroundTask { realm in … }.
        """,

        "actorThread < main, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or open a realm \
        here with Realm(configuration:) and pass objects to it with @ThreadSafe or as \
        a ThreadSafeReference.
        """,
        "actorThread < main, writing":
            """
        The realm belongs to one thread: open a realm here with Realm(configuration:) \
        and pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "actorThread < thread, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or open a realm \
        here with Realm(configuration:) and pass objects to it with @ThreadSafe or as \
        a ThreadSafeReference.
        """,
        "actorThread < thread, writing":
            """
        The realm belongs to one thread: open a realm here with Realm(configuration:) \
        and pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "actorThread < serialQueue, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or open a realm \
        for the queue 'test.serial' with Realm(queue:) and pass objects to it as a \
        ThreadSafeReference.
        """,
        "actorThread < serialQueue, writing":
            """
        The realm belongs to one thread: open a realm for the queue 'test.serial' with \
        Realm(queue:) and pass objects to it as a ThreadSafeReference.
        """,
        "actorThread < concurrentQueue, reading":
            """
        Pass a frozen version (freeze()), which may be read anywhere, or use a serial \
        queue with a realm of its own (Realm(queue:)) in place of the concurrent queue \
        'test.concurrent'.
        """,
        "actorThread < concurrentQueue, writing":
            """
        The realm belongs to one thread: use a serial queue with a realm of its own \
        (Realm(queue:)) in place of the concurrent queue 'test.concurrent'.
        """,
        "actorThread < task, reading":
            """
        Open the realm with Realm.open in the actor 'HomeActor', which changes \
        threads, and here read a frozen version (freeze()).
        """,
        "actorThread < task, writing":
            """
        Open the realm with Realm.open in the actor 'HomeActor', which changes \
        threads, and here work in Realm.performBackgroundTask { realm in … } and pass \
        objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "actorThread < actor, reading":
            """
        Open the realm with Realm.open in the actor 'HomeActor', which changes \
        threads, and here read a frozen version (freeze()).
        """,
        "actorThread < actor, writing":
            """
        Open the realm with Realm.open in the actor 'HomeActor', which changes \
        threads, and here open a realm for the actor 'OtherActor' with Realm.open and \
        pass objects to it as a ThreadSafeReference.
        """,
    ]
}
