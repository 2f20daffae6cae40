extension FileSchema {
    /// `schema` in it is the schema of schemas of draft 7, http://json-schema.org/draft-07/schema, in one place.
    static let templateText = #"""
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "title": "Lockstep: templates/NAME/VERSION.json",
          "type": "object",
          "required": ["state"],
          "additionalProperties": false,
          "properties": {
            "$schema": { "type": "string" },
            "$comment": {},
            "state": { "description": "Of a content state, or a widget's state", "$ref": "#/definitions/schema" },
            "attributes": { "description": "Of a Live Activity's attributes", "$ref": "#/definitions/schema" },
            "sensitive": {
              "description": "JSON Pointers into a declaration: what is there is shown to nobody",
              "type": "array",
              "items": { "type": "string", "pattern": "^/(state|attributes|alert)(/([^~/]|~[01])*)*$" }
            }
          },
          "definitions": {
            "schema": {
              "type": ["object", "boolean"],
              "properties": {
                "$id": { "type": "string" },
                "$schema": { "type": "string" },
                "$ref": { "type": "string" },
                "$comment": { "type": "string" },
                "title": { "type": "string" },
                "description": { "type": "string" },
                "default": {},
                "readOnly": { "type": "boolean" },
                "examples": { "type": "array" },
                "multipleOf": { "type": "number", "exclusiveMinimum": 0 },
                "maximum": { "type": "number" },
                "exclusiveMaximum": { "type": "number" },
                "minimum": { "type": "number" },
                "exclusiveMinimum": { "type": "number" },
                "maxLength": { "$ref": "#/definitions/count" },
                "minLength": { "$ref": "#/definitions/count" },
                "pattern": { "type": "string", "format": "regex" },
                "additionalItems": { "$ref": "#/definitions/schema" },
                "items": {
                  "if": { "type": "array" },
                  "then": { "$ref": "#/definitions/schemas" },
                  "else": { "$ref": "#/definitions/schema" }
                },
                "maxItems": { "$ref": "#/definitions/count" },
                "minItems": { "$ref": "#/definitions/count" },
                "uniqueItems": { "type": "boolean" },
                "contains": { "$ref": "#/definitions/schema" },
                "maxProperties": { "$ref": "#/definitions/count" },
                "minProperties": { "$ref": "#/definitions/count" },
                "required": { "$ref": "#/definitions/names" },
                "additionalProperties": { "$ref": "#/definitions/schema" },
                "definitions": { "type": "object", "additionalProperties": { "$ref": "#/definitions/schema" } },
                "properties": { "type": "object", "additionalProperties": { "$ref": "#/definitions/schema" } },
                "patternProperties": {
                  "type": "object",
                  "propertyNames": { "format": "regex" },
                  "additionalProperties": { "$ref": "#/definitions/schema" }
                },
                "dependencies": {
                  "type": "object",
                  "additionalProperties": {
                    "if": { "type": "array" },
                    "then": { "$ref": "#/definitions/names" },
                    "else": { "$ref": "#/definitions/schema" }
                  }
                },
                "propertyNames": { "$ref": "#/definitions/schema" },
                "const": {},
                "enum": { "type": "array" },
                "type": {
                  "if": { "type": "array" },
                  "then": { "minItems": 1, "uniqueItems": true, "items": { "$ref": "#/definitions/type" } },
                  "else": { "$ref": "#/definitions/type" }
                },
                "format": {
                  "description": "swift-date, unix-seconds and unix-milliseconds: RFC 3339 in the files, a number for the app",
                  "type": "string"
                },
                "contentMediaType": { "type": "string" },
                "contentEncoding": { "type": "string" },
                "if": { "$ref": "#/definitions/schema" },
                "then": { "$ref": "#/definitions/schema" },
                "else": { "$ref": "#/definitions/schema" },
                "allOf": { "$ref": "#/definitions/schemas" },
                "anyOf": { "$ref": "#/definitions/schemas" },
                "oneOf": { "$ref": "#/definitions/schemas" },
                "not": { "$ref": "#/definitions/schema" }
              }
            },
            "schemas": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/schema" } },
            "type": { "enum": ["array", "boolean", "integer", "null", "number", "object", "string"] },
            "names": { "type": "array", "uniqueItems": true, "items": { "type": "string" } },
            "count": { "type": "integer", "minimum": 0 }
          }
        }
        """#
}
