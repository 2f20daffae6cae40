#ifndef LOCKSTEP_CCURL_SHIM_H
#define LOCKSTEP_CCURL_SHIM_H

#include <curl/curl.h>

/* curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift cannot call: one function per
   type of argument. */
static inline CURLcode lockstep_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode lockstep_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode lockstep_curl_set_error_buffer(CURL *handle, char *buffer) {
    return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode lockstep_curl_get_number(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode lockstep_curl_get_socket(CURL *handle, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode lockstep_curl_on_socket(CURLM *multi, curl_socket_callback function, void *data) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, data);
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

/* The result lies in a union, whose members Swift cannot name. */
static inline CURLcode lockstep_curl_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
