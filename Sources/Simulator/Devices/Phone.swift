internal import Time

/// One simulated phone: what is installed on it and what it shows.
///
/// A phone is changed only through ``World``, which also keeps the tokens and sends the reports.
final class Phone {
    /// The name of this phone in the reports of its apps.
    var id: String
    var os: OSVersion
    /// True where Apple and the app's backend can reach it.
    var isReachable = true
    /// The installed apps, in the order of installation.
    var apps: [InstalledApp]
    /// Reports made while out of reach; they leave when the phone is back.
    var unsentReports: [Report] = []
    /// Deaths of tokens that Apple learns of when the phone is back in reach.
    var unknownDeaths: [(token: PushToken, death: TokenRecord.Death)] = []
    /// The one push per app that Apple keeps while the phone is out of reach.
    var stored: [String: StoredPush] = [:]
    /// The phone's part of the screens file, until something changes.
    var rendered: [UInt8]?
    /// The moment at which ``World/settle(at:)`` comes to it next.
    var nextChange = Moment.distantFuture

    init(id: String, os: OSVersion, apps: [InstalledApp]) {
        self.id = id
        self.os = os
        self.apps = apps
    }

    /// The installed app with this bundle id.
    func app(_ bundle: String) -> InstalledApp? {
        apps.first { $0.bundle == bundle }
    }
}

/// A push that waits at Apple for a phone out of reach.
struct StoredPush {
    let token: PushToken
    let push: Push
    /// The end of its wait.
    let expires: Moment
}
