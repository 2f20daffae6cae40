extension FileSchema {
    static let configText = #"""
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "title": "Lockstep: lockstep.json",
          "type": "object",
          "required": ["apps"],
          "additionalProperties": false,
          "properties": {
            "$schema": {},
            "$comment": {},
            "apps": {
              "description": "The apps, by their bundle ids",
              "type": "object",
              "minProperties": 1,
              "properties": { "$schema": {}, "$comment": {} },
              "additionalProperties": { "$ref": "#/definitions/app" }
            },
            "state": {
              "description": "Directories, files and globs of state",
              "type": "array",
              "minItems": 1,
              "items": { "$ref": "#/definitions/path" }
            },
            "ledger": { "description": "The SQLite file", "$ref": "#/definitions/path" },
            "reports": { "description": "The spool of device reports", "$ref": "#/definitions/path" },
            "publish": {
              "description": "Where widget states are published",
              "type": "object",
              "required": ["directory", "key"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "directory": { "$ref": "#/definitions/path" },
                "key": { "$ref": "#/definitions/secret" }
              }
            },
            "quota": {
              "type": "object",
              "required": ["dailyPushes"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "dailyPushes": { "description": "The most pushes of one day, by UTC", "$ref": "#/definitions/count" }
              }
            },
            "safety": {
              "description": "What one run may do at the most",
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "maxRemovedPercent": { "$ref": "#/definitions/percentage" },
                "maxRemoved": { "$ref": "#/definitions/count" },
                "maxReplacedPercent": { "$ref": "#/definitions/percentage" },
                "maxReplaced": { "$ref": "#/definitions/count" },
                "maxPushes": { "$ref": "#/definitions/count" }
              }
            },
            "sensitive": {
              "description": "JSON Pointers into declarations: what is there is shown to nobody",
              "$ref": "#/definitions/sensitive"
            },
            "ignore": {
              "description": "JSON Pointers into declarations: a change of what is there alone is no reason to push",
              "$ref": "#/definitions/ignore"
            },
            "endpoints": {
              "description": "What stands in for Apple's service",
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "production": { "$ref": "#/definitions/endpoint" },
                "sandbox": { "$ref": "#/definitions/endpoint" }
              }
            }
          },
          "definitions": {
            "app": {
              "type": "object",
              "required": ["teamId"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "teamId": { "description": "The Apple Developer team", "$ref": "#/definitions/tenCharacters" },
                "keys": {
                  "type": "object",
                  "additionalProperties": false,
                  "properties": {
                    "$schema": {},
                    "$comment": {},
                    "production": { "$ref": "#/definitions/key" },
                    "sandbox": { "$ref": "#/definitions/key" }
                  }
                }
              }
            },
            "key": {
              "description": "An APNs authentication key",
              "type": "object",
              "required": ["keyId", "key"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "keyId": { "$ref": "#/definitions/tenCharacters" },
                "key": { "$ref": "#/definitions/secret" }
              }
            },
            "secret": {
              "description": "Where a secret is; it is never in this file",
              "type": "object",
              "additionalProperties": false,
              "oneOf": [{ "required": ["file"] }, { "required": ["env"] }],
              "properties": {
                "$schema": {},
                "$comment": {},
                "file": { "$ref": "#/definitions/path" },
                "env": { "description": "The name of an environment variable", "type": "string", "minLength": 1 }
              }
            },
            "endpoint": {
              "type": "object",
              "required": ["url"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "url": { "type": "string", "pattern": "^https://[^/?#@ ]+$" },
                "caFile": { "$ref": "#/definitions/path" }
              }
            },
            "sensitive": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "all": { "description": "Of every declaration", "$ref": "#/definitions/places" },
                "widgets": {
                  "description": "Of widgets, by their names",
                  "type": "object",
                  "properties": { "$schema": {}, "$comment": {} },
                  "additionalProperties": { "$ref": "#/definitions/places" }
                },
                "activities": {
                  "description": "Of Live Activities, by their attributes types",
                  "type": "object",
                  "properties": { "$schema": {}, "$comment": {} },
                  "additionalProperties": { "$ref": "#/definitions/places" }
                }
              }
            },
            "places": {
              "type": "array",
              "items": { "type": "string", "pattern": "^/(state|attributes|alert)(/([^~/]|~[01])*)*$" }
            },
            "ignore": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "$schema": { "type": "string" },
                "$comment": {},
                "all": { "description": "Of every declaration", "$ref": "#/definitions/ignored" },
                "widgets": {
                  "description": "Of widgets, by their names",
                  "type": "object",
                  "properties": { "$schema": { "type": "string" }, "$comment": {} },
                  "additionalProperties": { "$ref": "#/definitions/ignored" }
                },
                "activities": {
                  "description": "Of Live Activities, by their attributes types",
                  "type": "object",
                  "properties": { "$schema": { "type": "string" }, "$comment": {} },
                  "additionalProperties": { "$ref": "#/definitions/ignored" }
                }
              }
            },
            "ignored": {
              "type": "array",
              "items": { "type": "string", "pattern": "^/(state|alert|staleAt|relevanceScore)(/([^~/]|~[01])*)*$" }
            },
            "path": { "type": "string", "minLength": 1 },
            "tenCharacters": { "type": "string", "pattern": "^[A-Z0-9]{10}$" },
            "count": { "type": "integer", "minimum": 0, "maximum": 2147483647 },
            "percentage": { "type": "integer", "minimum": 0, "maximum": 100 }
          }
        }
        """#
}
