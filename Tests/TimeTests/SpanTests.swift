import Testing
import Time

/// Arithmetic of moments and spans: by the second, and at the ends of what there is.
struct SpanTests {
    @Test func unitsAreMilliseconds() {
        #expect(Span.seconds(90).milliseconds == 90_000)
        #expect(Span.minutes(15) == .seconds(900))
        #expect(Span.hours(8) == .minutes(480))
        #expect(Span.days(1) == .hours(24))
    }

    @Test func momentsAndSpansAddUp() {
        let start = Moment(seconds: 1_700_000_000)
        #expect(start + .hours(1) - .minutes(60) == start)
        #expect((start + .seconds(5)) - start == .seconds(5))
        #expect(start - (start + .seconds(5)) == .seconds(-5))
        #expect(start < start + .milliseconds(1))
    }

    @Test func secondsAreCutOffTowardsThePast() {
        #expect(Moment(milliseconds: 1999).seconds == 1)
        #expect(Moment(milliseconds: -1).seconds == -1)
        #expect(Moment(milliseconds: -1000).seconds == -1)
    }

    @Test func whatDoesNotFitIsTheNearestThatDoes() {
        #expect(Moment.distantFuture + .hours(1) == .distantFuture)
        #expect(Moment.distantPast - .hours(1) == .distantPast)
        #expect(Moment.distantFuture - Moment.distantPast == Span(milliseconds: .max))
        #expect(Moment.distantPast - Moment.distantFuture == Span(milliseconds: .min))
        #expect(Moment(seconds: .max) == .distantFuture)
        #expect(Moment(seconds: .min) == .distantPast)
        #expect(Span.hours(.max) * -1 == Span(milliseconds: -Int64.max))
        #expect(Span(milliseconds: .min) * -1 == Span(milliseconds: .max))
    }
}
