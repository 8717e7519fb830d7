import { isPayloadObject, mapObjects } from "../../service/payload.ts";
import { type Fault, selectVariant, type Variants, defineViolation } from "../fault.ts";
import { withMember, type JsonMutation } from "../json-mutation.ts";
import { selectCalls, editJson, type JsonEdit } from "./call-effects.ts";
import { creationNames, inMember, inQuestions, updateNames, withShiftedTimes } from "./conversation-parts.ts";

const hourMs = 3_600_000;

/** Offset from UTC of the server's local time zone, in milliseconds. */
const zoneOffsetsMs: Variants<number> = {
  "two-hours-behind": -2 * hourMs,
  "five-hours-ahead": 5 * hourMs,
  "five-hours-and-a-half-ahead": 5.5 * hourMs,
};

/** Shifts all timestamps of conversations and questions by the same amount. */
const shiftTimes =
  (byMs: number): JsonEdit =>
  (json) => {
    const shiftedJson = mapObjects(json, (data) => withShiftedTimes(data, [...creationNames, ...updateNames], byMs));
    return isPayloadObject(shiftedJson) ? shiftedJson : json;
  };

const readTimeMillis = (stats: Readonly<Record<string, unknown>>): number => Number(stats["time_millis"] ?? 0);

/** Unix milliseconds of 2026-01-05T10:00:00Z. */
const timestampMs = 1_767_607_200_000;

const wrongUnits: Variants<JsonMutation> = {
  nanoseconds: (stats) => ({ ...stats, time_millis: readTimeMillis(stats) * 1_000_000 }),
  "point-in-time": (stats) => (readTimeMillis(stats) === 0 ? stats : { ...stats, time_millis: timestampMs }),
};

/** Times and durations that are well-formed but wrong. */
export const timeFaults: readonly Fault[] = [
  defineViolation("legacy/timestamps-are-utc", "legacy-times-of-another-zone")(
    "The legacy interface sends local times labelled as UTC.",
    selectVariant(zoneOffsetsMs, (byMs) => editJson(selectCalls("legacy"), shiftTimes(byMs))),
  ),
  defineViolation("legacy/timestamps-are-utc", "legacy-reset-time-as-duration")(
    "The reset time of the quota is a duration added to the Unix epoch and formatted as a timestamp.",
    editJson(selectCalls("legacy", "get"), inMember("quota_usage", withMember("reset_time", "1970-01-01T01:00:00Z"))),
  ),
  defineViolation("current/times-are-utc", "current-times-of-another-zone")(
    "The current interface sends local times labelled as UTC.",
    selectVariant(zoneOffsetsMs, (byMs) => editJson(selectCalls("current"), shiftTimes(byMs))),
  ),
  defineViolation("legacy/time-is-in-milliseconds", "legacy-time-in-another-unit")(
    "Legacy question stats report `time_millis` in nanoseconds or as a timestamp.",
    selectVariant(wrongUnits, (mutate) => editJson(selectCalls("legacy"), inQuestions(inMember("stats", mutate)))),
  ),
];
