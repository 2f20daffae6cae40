extension Simulator {
    /// The commands, the faults and the files, as `simulate --help` shows them.
    public static let reference: [String] = text.split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init
    )

    private static let text = """
        COMMANDS ON STANDARD INPUT
          One JSON object a line; each is answered by one line on standard output, {"ok":true,…} or
          {"ok":false,"error":"…"}, once its reports are in the spool and its effect in screens.json.
          PHONES is one of "device":"ID" (or an array), "subscriber":"NAME", "all":true; with
          "app":"BUNDLE" only this app on them, else each.
          TILES is nothing (all of them) or one of "activityId", "launchRequestId", "name".

          {"do":"add","device":"d1",…}
              Adds a phone. Also: "subscriber" (without it anon_<device>), "os" (26.0), "app",
              "environment" (production), "widgets":[NAME…], "attributesTypes":[NAME…],
              "templates":[…], "frequentPushes", "reportsEnds" (the app reports what a push or the
              8 hours ended); or "apps":[{…}] with these per app. Many at once: "count", "from" (1),
              and {n} or {n:6} in "device" and "subscriber" for the number.
          {"do":"sign-in",PHONES,"as":S}    S signs in; the app registers under S.
          {"do":"sign-out",PHONES}          Reports subscriber.loggedOut.
          {"do":"identify",PHONES,"as":S}   The anonymous user turns out to be S.
          {"do":"dismiss",PHONES,TILES}     The person swipes tiles away.
          {"do":"end",PHONES,TILES}         The app ends activities; "atOnce":true removes the tiles.
          {"do":"start",PHONES,"name":N,"attributesType":T,"attributes":{…},"state":{…}}
              The app starts an activity itself.
          {"do":"widgets",PHONES,"add":[…],"remove":[…]}
              The person places and removes widgets.
          {"do":"reinstall",PHONES}         New tokens, the old ones dead; "as":"d2" renames the device.
          {"do":"rotate",PHONES}            New tokens; "silently":true lets Apple accept the old ones,
                                            which show nothing.
          {"do":"update-os",PHONES,"os":V}  The apps register anew.
          {"do":"out-of-reach",PHONES}      Apple keeps one push per app until it expires; reports wait.
          {"do":"in-reach",PHONES}
          {"do":"tokens",PHONES}            The tokens in use.
          {"do":"show",PHONES}              What the phones show.
          {"do":"screens"}                  Writes screens.json now (with over 5,000 phones it is written
                                            now and then).
          {"do":"counters"}                 What happened how often.
          {"do":"streams","limit":N}        Allows so many streams per connection from now on.
          {"do":"goaway","reason":R}        Says GOAWAY on every connection.
          {"do":"cut"}                      Cuts every connection.
          {"do":"stop"}                     Ends the simulator.

        FAULTS
          {"do":"fault",EFFECT,"on":{…},"times":N,"after":N,"chance":P,"seed":N}
              Answers {"fault":ID}. "on" names what is concerned by "token" (its first digits),
              "device", "subscriber", "app", "environment", "event" (start, update, end, reload,
              unusable) and, of reports, "type". "after" lets so many pass first. "times" is how often
              it happens (1; with "chance" for ever). "seed" makes the chances the same each time. Of
              several faults the oldest that fits happens. Faults touch what Apple would have accepted.
          {"do":"clear-faults"}
              Ends all of them; with "fault":ID one.
          EFFECT is one of
          "answer":{"status":503,"reason":"ServiceUnavailable"}
              Answers this. "processed":true lets the push reach the phone all the same; "timestamp"
              (milliseconds) goes with 410.
          "delay":MS                        Processes, and answers late.
          "silence":"before"|"after"        Never answers; processed with "after".
          "cut":"before"|"after"            Cuts the connection unanswered; processed with "after".
          "reset":"REFUSED_STREAM"          Resets the stream, not processed; or CANCEL, INTERNAL_ERROR,
                                            PROTOCOL_ERROR, ENHANCE_YOUR_CALM.
          "goaway":{"reason":"Shutdown"}    GOAWAY with a last stream id below the request's, which is
                                            not processed; with "processed":true it is the last that is.
          "streams":N                       Processes, and allows so many streams from now on.
          "connect":"cut"                   Closes the next connection before a byte of TLS.
          "connect":{"goaway":R}            GOAWAY with last stream id 0 and reason R before SETTINGS.
          "report":"lost"|"doubled"|{"late":MS}
              Of reports; a late one keeps its "at".

        FILES IN THE STATE DIRECTORY
          ca.pem, server.pem, keys/         The authority, the server's certificate, Apple's keys.
          lockstep.json, publish.key        A ready configuration, the key of the published paths.
          screens.json                      {"devices":{ID:{"subscriber","os","reachable","apps":{BUNDLE:
                                            {"subscriber","widgets":{NAME:{"state","revision"}},"tiles":
                                            [{"activityId","launchRequestId"|"name","attributesType",
                                            "attributes","state","stale","alert","alertsRung",
                                            "startedAt","ended"}]}}}}}
          requests.ndjson                   A line per request: headers, payload, answer, what it did.
          The ready file is {"url","sandboxUrl","caFile","config","process"}. Production and sandbox
          listen on ports of their own. The time is the system's.

        """
}
