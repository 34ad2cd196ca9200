#include "bare.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static char *put32(char *place, uint32_t value) {
    value = htonl(value);
    memcpy(place, &value, 4);
    return place + 4;
}

static char *put64(char *place, uint64_t value) {
    place = put32(place, value >> 32);
    return put32(place, value & 0xffffffff);
}

/* The head of an array of one dimension in binary form. */
static char *put_array(char *place, uint32_t type, int count) {
    place = put32(put32(place, 1), 0);
    return put32(put32(put32(place, type), count), 1);
}

static int failed(PGconn *connection, PGresult *result, ExecStatusType wanted) {
    int is_failure = PQresultStatus(result) != wanted;
    if (is_failure) fprintf(stderr, "bare: %s", PQerrorMessage(connection));
    PQclear(result);
    return is_failure;
}

long bare_push(
    const char *url, const char *schema, const char *realm, int batch, size_t payload_size,
    double seconds) {
    PGconn *connection = PQconnectdb(url);
    if (PQstatus(connection) != CONNECTION_OK) {
        fprintf(stderr, "bare: %s", PQerrorMessage(connection));
        PQfinish(connection);
        return -1;
    }
    char text[2000];
    snprintf(
        text, sizeof text,
        "WITH r AS (UPDATE %s.realm SET head = head + $2 WHERE name = $1 RETURNING id, head) "
        "INSERT INTO %s.commit (realm, seq, client, client_seq, format, payload) "
        "SELECT r.id, r.head - $2 + n.ordinality, $3, n.number, 1, n.payload "
        "FROM r, unnest($4, $5) WITH ORDINALITY AS n(number, payload, ordinality)",
        schema, schema);
    const Oid types[] = {25, 20, 2950, 1016, 1001};
    if (failed(connection, PQprepare(connection, "push", text, 5, types), PGRES_COMMAND_OK)) {
        PQfinish(connection);
        return -1;
    }
    char client[16];
    for (int i = 0; i < 16; i++) client[i] = rand();
    char *numbers = malloc(20 + 12 * (size_t)batch);
    char *payloads = malloc(20 + (4 + payload_size) * (size_t)batch);
    char *payload = malloc(payload_size);
    memset(payload, 'x', payload_size);
    char count[8];
    put64(count, batch);
    long total = 0;
    double end = now() + seconds;
    while (now() < end) {
        char *number = put_array(numbers, 20, batch), *value = put_array(payloads, 17, batch);
        for (int i = 0; i < batch; i++) {
            number = put64(put32(number, 8), ++total);
            value = put32(value, payload_size);
            memcpy(value, payload, payload_size);
            value += payload_size;
        }
        const char *values[] = {realm, count, client, numbers, payloads};
        const int lengths[] = {
            (int)strlen(realm), 8, 16, (int)(number - numbers), (int)(value - payloads)};
        const int formats[] = {1, 1, 1, 1, 1};
        PGresult *result = PQexecPrepared(connection, "push", 5, values, lengths, formats, 1);
        if (failed(connection, result, PGRES_COMMAND_OK)) {
            total = -1;
            break;
        }
    }
    free(numbers);
    free(payloads);
    free(payload);
    PQfinish(connection);
    return total;
}
