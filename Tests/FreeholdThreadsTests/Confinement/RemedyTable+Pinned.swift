/// The rows of the owners whose actors stay on a thread of their own.
extension RemedyTable {
    static let pinned: [String: String] = [
        "pinnedExecutor < main, reading":
            """
        Run this code in a method of an actor that the executor 'test.pinned' runs \
        (Task { await … }), or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "pinnedExecutor < main, writing":
            """
        Write in a method of an actor that the executor 'test.pinned' runs (try await \
        realm.asyncWrite { … }), or open a realm here with Realm(configuration:) and \
        pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "pinnedExecutor < thread, reading":
            """
        Run this code in a method of an actor that the executor 'test.pinned' runs \
        (Task { await … }), or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "pinnedExecutor < thread, writing":
            """
        Write in a method of an actor that the executor 'test.pinned' runs (try await \
        realm.asyncWrite { … }), or open a realm here with Realm(configuration:) and \
        pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "pinnedExecutor < serialQueue, reading":
            """
        Run this code in a method of an actor that the executor 'test.pinned' runs \
        (Task { await … }), or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "pinnedExecutor < serialQueue, writing":
            """
        Write in a method of an actor that the executor 'test.pinned' runs (try await \
        realm.asyncWrite { … }), or open a realm for the queue 'test.serial' with \
        Realm(queue:) and pass objects to it as a ThreadSafeReference.
        """,
        "pinnedExecutor < concurrentQueue, reading":
            """
        Run this code in a method of an actor that the executor 'test.pinned' runs \
        (Task { await … }), or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "pinnedExecutor < concurrentQueue, writing":
            """
        Write in a method of an actor that the executor 'test.pinned' runs (try await \
        realm.asyncWrite { … }), or use a serial queue with a realm of its own \
        (Realm(queue:)) in place of the concurrent queue 'test.concurrent'.
        """,
        "pinnedExecutor < task, reading":
            """
        Run this code in a method of an actor that the executor 'test.pinned' runs, or \
        pass a frozen version (freeze()), which may be read anywhere.
        """,
        "pinnedExecutor < task, writing":
            """
        Write in a method of an actor that the executor 'test.pinned' runs (try await \
        realm.asyncWrite { … }), or work in Realm.performBackgroundTask { realm in … } \
        and pass objects to it with @ThreadSafe or as a ThreadSafeReference.
        """,
        "pinnedExecutor < actor, reading":
            """
        Run this code in a method of an actor that the executor 'test.pinned' runs, or \
        pass a frozen version (freeze()), which may be read anywhere.
        """,
        "pinnedExecutor < actor, writing":
            """
        Write in a method of an actor that the executor 'test.pinned' runs (try await \
        realm.asyncWrite { … }), or open a realm for the actor 'OtherActor' with \
        Realm.open and pass objects to it as a ThreadSafeReference.
        """,

        "pinnedActor < main, reading":
            """
        Run this code in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs (Task { await … }), or pass a frozen version (freeze()), \
        which may be read anywhere.
        """,
        "pinnedActor < main, writing":
            """
        Write in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs (try await realm.asyncWrite { … }), or open a realm here \
        with Realm(configuration:) and pass objects to it with @ThreadSafe or as a \
        ThreadSafeReference.
        """,
        "pinnedActor < thread, reading":
            """
        Run this code in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs (Task { await … }), or pass a frozen version (freeze()), \
        which may be read anywhere.
        """,
        "pinnedActor < thread, writing":
            """
        Write in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs (try await realm.asyncWrite { … }), or open a realm here \
        with Realm(configuration:) and pass objects to it with @ThreadSafe or as a \
        ThreadSafeReference.
        """,
        "pinnedActor < serialQueue, reading":
            """
        Run this code in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs (Task { await … }), or pass a frozen version (freeze()), \
        which may be read anywhere.
        """,
        "pinnedActor < serialQueue, writing":
            """
        Write in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs (try await realm.asyncWrite { … }), or open a realm for the \
        queue 'test.serial' with Realm(queue:) and pass objects to it as a \
        ThreadSafeReference.
        """,
        "pinnedActor < concurrentQueue, reading":
            """
        Run this code in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs (Task { await … }), or pass a frozen version (freeze()), \
        which may be read anywhere.
        """,
        "pinnedActor < concurrentQueue, writing":
            """
        Write in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs (try await realm.asyncWrite { … }), or use a serial queue \
        with a realm of its own (Realm(queue:)) in place of the concurrent queue \
        'test.concurrent'.
        """,
        "pinnedActor < task, reading":
            """
        Run this code in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs, or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "pinnedActor < task, writing":
            """
        Write in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs (try await realm.asyncWrite { … }), or work in \
        Realm.performBackgroundTask { realm in … } and pass objects to it with \
        @ThreadSafe or as a ThreadSafeReference.
        """,
        "pinnedActor < actor, reading":
            """
        Run this code in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs, or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "pinnedActor < actor, writing":
            """
        Write in a method of the actor 'PinnedHomeActor', which the executor \
        'test.pinned' runs (try await realm.asyncWrite { … }), or open a realm for the \
        actor 'OtherActor' with Realm.open and pass objects to it as a \
        ThreadSafeReference.
        """,

        "pinnedGlobalActor < main, reading":
            """
        Run this code in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs (Task { await … }), or pass a frozen version (freeze()), \
        which may be read anywhere.
        """,
        "pinnedGlobalActor < main, writing":
            """
        Write in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs (try await realm.asyncWrite { … }), or open a realm here \
        with Realm(configuration:) and pass objects to it with @ThreadSafe or as a \
        ThreadSafeReference.
        """,
        "pinnedGlobalActor < thread, reading":
            """
        Run this code in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs (Task { await … }), or pass a frozen version (freeze()), \
        which may be read anywhere.
        """,
        "pinnedGlobalActor < thread, writing":
            """
        Write in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs (try await realm.asyncWrite { … }), or open a realm here \
        with Realm(configuration:) and pass objects to it with @ThreadSafe or as a \
        ThreadSafeReference.
        """,
        "pinnedGlobalActor < serialQueue, reading":
            """
        Run this code in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs (Task { await … }), or pass a frozen version (freeze()), \
        which may be read anywhere.
        """,
        "pinnedGlobalActor < serialQueue, writing":
            """
        Write in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs (try await realm.asyncWrite { … }), or open a realm for the \
        queue 'test.serial' with Realm(queue:) and pass objects to it as a \
        ThreadSafeReference.
        """,
        "pinnedGlobalActor < concurrentQueue, reading":
            """
        Run this code in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs (Task { await … }), or pass a frozen version (freeze()), \
        which may be read anywhere.
        """,
        "pinnedGlobalActor < concurrentQueue, writing":
            """
        Write in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs (try await realm.asyncWrite { … }), or use a serial queue \
        with a realm of its own (Realm(queue:)) in place of the concurrent queue \
        'test.concurrent'.
        """,
        "pinnedGlobalActor < task, reading":
            """
        Run this code in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs, or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "pinnedGlobalActor < task, writing":
            """
        Write in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs (try await realm.asyncWrite { … }), or work in \
        Realm.performBackgroundTask { realm in … } and pass objects to it with \
        @ThreadSafe or as a ThreadSafeReference.
        """,
        "pinnedGlobalActor < actor, reading":
            """
        Run this code in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs, or pass a frozen version (freeze()), which may be read \
        anywhere.
        """,
        "pinnedGlobalActor < actor, writing":
            """
        Write in a method of the actor 'GlobalHomeActor', which the executor \
        'test.global' runs (try await realm.asyncWrite { … }), or open a realm for the \
        actor 'OtherActor' with Realm.open and pass objects to it as a \
        ThreadSafeReference.
        """,
    ]
}
