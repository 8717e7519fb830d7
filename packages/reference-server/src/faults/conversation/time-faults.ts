import { isPayloadObject, changeObjects } from "../../service/payload.ts";
import { type Fault, selectVariant, type Variants, violating } from "../fault.ts";
import { withMember, type JsonMutation } from "../json-mutation.ts";
import { selectCalls, editJson, type JsonEdit } from "./call-effects.ts";
import { creationNames, inMember, inQuestions, updateNames, withLaterTimes } from "./conversation-parts.ts";

const hourMs = 3_600_000;

/** Offset of the server's clock from UTC, in milliseconds. */
const zones: Variants<number> = {
  "two-hours-behind": -2 * hourMs,
  "five-hours-ahead": 5 * hourMs,
  "five-hours-and-a-half-ahead": 5.5 * hourMs,
};

/** Moves all times of conversations and questions by the same amount. */
const shiftTimes =
  (byMs: number): JsonEdit =>
  (json) => {
    const shiftedJson = changeObjects(json, (data) => withLaterTimes(data, [...creationNames, ...updateNames], byMs));
    return isPayloadObject(shiftedJson) ? shiftedJson : json;
  };

const timesMillis = (stats: Readonly<Record<string, unknown>>): number => Number(stats["time_millis"] ?? 0);

const otherUnits: Variants<JsonMutation> = {
  nanoseconds: (stats) => ({ ...stats, time_millis: timesMillis(stats) * 1_000_000 }),
  "point-in-time": (stats) => (timesMillis(stats) === 0 ? stats : { ...stats, time_millis: 1_767_607_200_000 }),
};

/** Faults in the values of times and durations; their format is valid. */
export const timeFaults: readonly Fault[] = [
  violating("legacy/timestamps-are-utc", "legacy-times-of-another-zone")(
    "Times of legacy conversations are in a different time zone, written as UTC.",
    selectVariant(zones, (byMs) => editJson(selectCalls("legacy"), shiftTimes(byMs))),
  ),
  violating("legacy/timestamps-are-utc", "legacy-reset-time-as-duration")(
    "The reset time of the quota is a duration, formatted as a time after 1970.",
    editJson(selectCalls("legacy", "get"), inMember("quota_usage", withMember("reset_time", "1970-01-01T01:00:00Z"))),
  ),
  violating("current/times-are-utc", "current-times-of-another-zone")(
    "Times of conversations of the current interface are in a different time zone, written as UTC.",
    selectVariant(zones, (byMs) => editJson(selectCalls("current"), shiftTimes(byMs))),
  ),
  violating("legacy/time-is-in-milliseconds", "legacy-time-in-another-unit")(
    "The stats of legacy questions have their time in a different unit, or contain a timestamp.",
    selectVariant(otherUnits, (mutate) => editJson(selectCalls("legacy"), inQuestions(inMember("stats", mutate)))),
  ),
];
