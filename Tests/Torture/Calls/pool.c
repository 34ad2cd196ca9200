#define _GNU_SOURCE
#include "TortureCalls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

/* The hook of Swift's runtime for jobs that belong to no executor of a program's
   (include/swift/Runtime/Concurrency.h). The second argument is what the runtime
   would do with the job. */
typedef __attribute__((swiftcall)) void (*enqueue_hook)(void *job, void *original);
typedef __attribute__((swiftcall)) void (*run_job)(void *job, void *identity, void *implementation);

struct pool_job {
    void *job;
    struct pool_job *next;
};

/* Protected by the lock: any thread adds a job. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pool_job *first, **end = &first;
static int32_t count;
static run_job run;

static __attribute__((swiftcall)) void take(void *job, void *original) {
    (void)original;
    struct pool_job *added = malloc(sizeof *added);
    if (!added) abort();
    *added = (struct pool_job){job, NULL};
    pthread_mutex_lock(&lock);
    *end = added;
    end = &added->next;
    count++;
    pthread_mutex_unlock(&lock);
}

int32_t torture_step_pool(void) {
    enqueue_hook *hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
    *(void **)&run = dlsym(RTLD_DEFAULT, "swift_job_run");
    if (!hook || !run) return 0;
    *hook = take;
    return 1;
}

int32_t torture_pool_jobs(void) {
    pthread_mutex_lock(&lock);
    int32_t now = count;
    pthread_mutex_unlock(&lock);
    return now;
}

int32_t torture_run_pool_job(void) {
    pthread_mutex_lock(&lock);
    struct pool_job *taken = first;
    if (taken) {
        first = taken->next;
        if (!first) end = &first;
        count--;
    }
    pthread_mutex_unlock(&lock);
    if (!taken) return 0;
    void *job = taken->job;
    free(taken);
    run(job, NULL, NULL);
    return 1;
}
