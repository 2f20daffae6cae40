extension FileSchema {
    static let subscriberText = #"""
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "title": "Lockstep: a state file",
          "if": { "type": "array" },
          "then": { "items": { "$ref": "#/definitions/document" } },
          "else": { "$ref": "#/definitions/document" },
          "definitions": {
            "document": {
              "description": "What one subscriber's widgets and Live Activities are to show",
              "type": "object",
              "required": ["subscriber"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "subscriber": { "description": "Your own id of the user, or an anon_… id", "$ref": "#/definitions/name" },
                "app": { "description": "Its bundle id; may be left out where there is one app", "type": "string" },
                "widgets": {
                  "type": "object",
                  "properties": { "$schema": {}, "$comment": {} },
                  "propertyNames": { "$ref": "#/definitions/name" },
                  "additionalProperties": { "$ref": "#/definitions/widget" }
                },
                "liveActivities": {
                  "type": "object",
                  "properties": { "$schema": {}, "$comment": {} },
                  "propertyNames": { "$ref": "#/definitions/name" },
                  "additionalProperties": { "$ref": "#/definitions/activity" }
                }
              }
            },
            "widget": {
              "type": "object",
              "required": ["state"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "state": { "description": "What the widget shows" },
                "template": { "$ref": "#/definitions/template" },
                "reload": { "description": "A new value reloads though the state is the same", "type": "string" },
                "minInterval": { "$ref": "#/definitions/duration" },
                "expiresAfter": { "$ref": "#/definitions/duration" }
              }
            },
            "activity": {
              "type": "object",
              "required": ["attributesType", "state"],
              "if": { "required": ["start"], "properties": { "start": { "const": "app" } } },
              "else": { "required": ["alert"] },
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "attributesType": { "description": "The Swift name of the type", "$ref": "#/definitions/name" },
                "attributes": {
                  "description": "Its constants: a change starts it anew",
                  "type": "object",
                  "not": { "required": ["launchRequestId"] }
                },
                "state": { "description": "Its content state", "type": "object" },
                "template": { "$ref": "#/definitions/template" },
                "alert": { "$ref": "#/definitions/alert" },
                "staleAt": { "$ref": "#/definitions/time" },
                "relevanceScore": { "type": "number" },
                "start": { "description": "Who starts it", "enum": ["remote", "app"] },
                "priority": { "description": "Of silent updates", "enum": ["normal", "high"] },
                "generation": { "description": "A new value starts it anew", "type": "string" },
                "restart": { "enum": ["never", "if-unconfirmed"] },
                "renew": { "description": "Start a new one when 8 hours are over", "type": "boolean" },
                "minInterval": { "$ref": "#/definitions/duration" },
                "expiresAfter": { "$ref": "#/definitions/duration" },
                "protect": { "description": "Its removal needs --allow-protected", "type": "boolean" },
                "end": {
                  "description": "It is over",
                  "type": "object",
                  "additionalProperties": false,
                  "properties": {
                    "$schema": {},
                    "$comment": {},
                    "state": { "description": "The last content state", "type": "object" },
                    "dismissAt": { "anyOf": [{ "const": "now" }, { "$ref": "#/definitions/time" }] }
                  }
                }
              }
            },
            "alert": {
              "type": "object",
              "required": ["title", "body"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "title": { "$ref": "#/definitions/words" },
                "body": { "$ref": "#/definitions/words" },
                "sound": { "type": "string" }
              }
            },
            "words": {
              "type": ["string", "object"],
              "required": ["loc-key"],
              "additionalProperties": false,
              "properties": {
                "$schema": {},
                "$comment": {},
                "loc-key": { "type": "string" },
                "loc-args": { "type": "array", "items": { "type": "string" } }
              }
            },
            "name": { "type": "string", "minLength": 1, "maxLength": 256 },
            "template": {
              "description": "NAME@VERSION of its template",
              "type": "string",
              "pattern": "^[A-Za-z0-9_-][A-Za-z0-9_.-]*@[A-Za-z0-9_-][A-Za-z0-9_.-]*$"
            },
            "duration": {
              "description": "A length of time: 90s, 15m, 8h",
              "type": "string"
            },
            "time": {
              "description": "RFC 3339 with Z or an offset: 2026-11-30T10:30:00Z",
              "type": "string",
              "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
            }
          }
        }
        """#
}
