#include "CValijson.h"

// Without it valijson ends the process where it could throw.
#define VALIJSON_USE_EXCEPTIONS 1

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

// libstdc++ looks for an expression by recursion, a step for each character: a text of some ten thousand overflows the
// stack. With this flag it takes time and space in proportion to the text, and takes no back-references. valijson names
// std::regex itself, so that the name is given to a class with the flag while its headers are read.
namespace std {
class linear_regex : public regex {
public:
    explicit linear_regex(const std::string &text) : regex(text, ECMAScript | regex_constants::__polynomial) {}
};
}  // namespace std
#define regex linear_regex
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#undef regex

struct valijson_schema {
    valijson::Schema schema;
    valijson::Validator validator;
};

namespace {

using Path = std::vector<std::string>;
using Error = valijson::ValidationResults::Error;

/// A path of valijson's, "<root>", "[key]", "[0]", as a JSON Pointer.
std::string pointer(const Path &path) {
    std::string text;
    for (size_t index = 1; index < path.size(); index++) {
        text += '/';
        const std::string &step = path[index];
        for (size_t at = 1; at + 1 < step.size(); at++) {
            if (step[at] == '~') {
                text += "~0";
            } else if (step[at] == '/') {
                text += "~1";
            } else {
                text += step[at];
            }
        }
    }
    return text;
}

bool starts(const std::string &text, const std::string &prefix) { return text.compare(0, prefix.size(), prefix) == 0; }

/// Errors that only say that a part of the value is wrong, which has an error of its own: after the prefix comes the
/// part's name, or nothing where it is the value itself.
const char *const summaries[] = {
    "Failed to validate against schema associated with property name '",
    "Failed to validate against schema associated with pattern '",
    "Failed to validate item #",
    "Failed to validate against child schema #",
    "Failed to validate against additional properties schema",
    "Failed to validate against dependent schema",
    "Failed to validate against a conditional schema",
};

/// What a summary is about; false where the error is none.
bool summarizes(const Error &error, Path &part) {
    for (const std::string prefix : summaries) {
        if (!starts(error.description, prefix)) continue;
        part = error.context;
        if (prefix.back() == '\'' && prefix.find("property name") != std::string::npos) {
            const size_t end = error.description.rfind('\'');
            part.push_back("[" + error.description.substr(prefix.size(), end - prefix.size()) + "]");
        }
        return true;
    }
    return false;
}

bool isWithin(const Path &path, const Path &part) {
    return path.size() >= part.size() && std::equal(part.begin(), part.end(), path.begin());
}

void report(void *context, valijson_note note, const std::string &where, const std::string &what) {
    note(context, where.data(), where.size(), what.data(), what.size());
}

}  // namespace

valijson_schema *valijson_compile(const char *json, size_t length, void *context, valijson_note note) {
    valijson_schema *schema = nullptr;
    try {
        const nlohmann::json document = nlohmann::json::parse(json, json + length);
        schema = new valijson_schema;
        valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
        parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema->schema);
        return schema;
    } catch (const std::exception &error) {
        report(context, note, "", error.what());
    }
    delete schema;
    return nullptr;
}

void valijson_free(valijson_schema *schema) { delete schema; }

void valijson_check(valijson_schema *schema, const char *json, size_t length, void *context, valijson_note note) {
    try {
        const nlohmann::json document = nlohmann::json::parse(json, json + length);
        valijson::ValidationResults results;
        const valijson::adapters::NlohmannJsonAdapter target(document);
        if (schema->validator.validate(schema->schema, target, &results)) return;
        std::vector<Path> told;
        for (const Error &error : results) {
            Path part;
            const bool isSummary = summarizes(error, part);
            if (isSummary) {
                bool isTold = false;
                for (const Path &path : told) isTold = isTold || isWithin(path, part);
                if (isTold) continue;
            }
            const Path &path = isSummary ? part : error.context;
            told.push_back(path);
            report(context, note, pointer(path), isSummary ? "not allowed here" : error.description);
        }
        // The schema `false` allows nothing, and valijson has no error for it.
        if (told.empty()) report(context, note, "", "not allowed here");
    } catch (const std::exception &error) {
        report(context, note, "", error.what());
    }
}

int valijson_is_pattern(const char *text, size_t length) {
    try {
        const std::linear_regex pattern(std::string(text, length));
        return 1;
    } catch (const std::exception &) {
        return 0;
    }
}

int valijson_finds(const char *pattern, size_t pattern_length, const char *text, size_t length) {
    try {
        return std::regex_search(std::string(text, length), std::linear_regex(std::string(pattern, pattern_length)));
    } catch (const std::exception &) {
        return 0;
    }
}
