/// Checking JSON values against JSON Schemas (draft 7): valijson, a C++ library of templates, behind a C interface.
///
/// No exception crosses it. Texts are UTF-8 with explicit lengths.
#ifndef CVALIJSON_H
#define CVALIJSON_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A schema that is ready to check values; freed with valijson_free.
typedef struct valijson_schema valijson_schema;

/// Takes one text; it is only valid during the call. `pointer` is a JSON Pointer to the offending value.
typedef void (*valijson_note)(
    void *context, const char *pointer, size_t pointer_length, const char *reason, size_t reason_length);

/// Reads a schema; NULL where it is none, and then `note` was called once with the reason.
valijson_schema *valijson_compile(const char *json, size_t length, void *context, valijson_note note);

void valijson_free(valijson_schema *schema);

/// Checks a value: `note` is called for each thing that is wrong with it, in the order of checking.
void valijson_check(
    valijson_schema *schema, const char *json, size_t length, void *context, valijson_note note);

/// Whether a text is a regular expression as `pattern` takes it (ECMA-262).
int valijson_is_pattern(const char *text, size_t length);

/// Whether a regular expression is found anywhere in a text; 0 where it is none.
int valijson_finds(const char *pattern, size_t pattern_length, const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
