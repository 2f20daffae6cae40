import Diff
import JSON
import Time

/// What happens on the devices, and what they report.
extension World {
    mutating func show(_ instance: Instance, _ content: ActivityContent) {
        let tile = Tile(
            activityID: mint("activity"),
            launch: instance.launch,
            name: nil,
            token: mint("token"),
            content: content,
            attributes: instance.attributes,
            startedAt: time
        )
        screens[instance.device]?.tiles.append(tile)
        report(tile, instance.device)
    }

    mutating func report(_ tile: Tile, _ device: Text) {
        tell(device, runs(tile.activityID, launch: tile.launch?.text, name: tile.name, token: tile.token))
    }

    mutating func tell(_ device: Text, _ event: Report.Event) {
        time += .milliseconds(1)
        waiting.append(DiffTests.report(time, event, by: screens[device]?.user ?? "", from: device))
    }

    /// The widget fetches what is published for whoever is signed in.
    mutating func fetch(_ device: Text) {
        let isAnna = screens[device]?.user == "anna"
        let published = isAnna ? widgets.map { ($0.declaration.name, $0.declaration.state) } : []
        screens[device]?.widgets = Dictionary(uniqueKeysWithValues: published)
    }

    /// The app registers what it can take, with new tokens; its widgets are drawn anew.
    mutating func register(_ device: Text) {
        let (start, widget) = (mint("start"), mint("widget"))
        screens[device]?.startToken = start
        screens[device]?.widgetToken = widget
        tell(device, canStart(start))
        tell(device, hasWidgets(widget))
        fetch(device)
        time += .milliseconds(1)
    }

    mutating func signIn(_ user: Text, on device: Text) {
        tell(device, .loggedOut)
        screens[device]?.user = user
        register(device)
    }

    mutating func dismiss(_ device: Text) {
        guard let tile = screens[device]?.tiles.popLast() else { return }
        tell(device, isOver(tile.activityID, dismissed: true))
    }

    /// The app starts the activity by itself.
    mutating func startInApp(_ name: Text, on device: Text) {
        let tile = Tile(activityID: mint("activity"), name: name, token: mint("token"), startedAt: time)
        screens[device]?.tiles.append(tile)
        report(tile, device)
    }

    /// iOS takes away what is older than 8 hours.
    mutating func pass(_ duration: Span) {
        time += duration
        for device in Self.devices { screens[device]?.tiles.removeAll { time - $0.startedAt >= Instance.lifetime } }
    }

    /// Takes in the reports that `isDue` picks, in the order of their times.
    mutating func ingest(_ isDue: (Report) -> Bool) {
        let due = waiting.filter(isDue).sorted { $0.at < $1.at }
        waiting.removeAll { due.contains($0) }
        for report in due {
            let record = activities.first { $0.declaration.name == "order" }
            phones[report.device]?.declared = record.map { DeclaredLife(life: $0.life, isRemoved: $0.isRemoved) }
            phones[report.device]?.time = time
            phones[report.device]?.take(report)
        }
    }
}
