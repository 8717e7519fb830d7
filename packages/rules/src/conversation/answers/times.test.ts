import type { ConversationRuleId } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { asksFor } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import { outcomeOf, describeReport } from "../testing/calls-report.ts";
import {
  completedQuestion,
  currentConversation,
  failedConversation,
  legacyConversation,
  processingQuestion,
  retrievedConversation,
  statsOf,
} from "../testing/sample-conversations.ts";

/** The clock of the target when the samples were created, at 10:00:00 UTC. */
const date = "Mon, 05 Jan 2026 10:00:00 GMT";
const later = "Mon, 05 Jan 2026 10:00:09 GMT";

/** The same day at this time, as UTC writes it. */
const at = (time: string): string => `2026-01-05T${time}Z`;
const turnAt = (seconds: number): object => ({ turns: [{ reasoning: "words", timestamp: seconds, role: "user" }] });
const tenOClock = 1_767_607_200;

type Times = Readonly<Partial<Record<"created_at" | "updated_at", string>>>;

/** A creation whose conversation and question have these times. */
const creates = (times: Times, sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "create",
  date,
  answer: legacyConversation([processingQuestion({ turns: [], ...times })], times),
  ...sketch,
});
const reads = (times: Times, sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "get",
  date: later,
  answer: retrievedConversation([completedQuestion(times)], times),
  ...sketch,
});
const shifted = (time: string): Times => ({ created_at: at(time), updated_at: at(time) });
const createsCurrent = (time: string, names: readonly [string, string] = ["createTime", "updateTime"]): CallSketch => ({
  interface: "current",
  operation: "create",
  date,
  answer: currentConversation({ processing: {} }, [asksFor("words")], {
    createTime: undefined,
    updateTime: undefined,
    [names[0]]: at(time),
    [names[1]]: at(time),
  }),
});

const fails = (time: string, name = "retryTime"): CallSketch => ({
  interface: "current",
  operation: "get",
  date: later,
  answer: failedConversation({ code: "ERROR_QUOTA_EXCEEDED", message: "No.", [name]: time }, { createTime: undefined }),
});

interface Row {
  readonly rule: ConversationRuleId;
  readonly name: string;
  readonly calls: readonly CallSketch[];
  readonly says: string;
}

const rows = (
  rule: ConversationRuleId,
  table: readonly (readonly [string, readonly CallSketch[], string])[],
): readonly Row[] => table.map(([name, calls, says]) => ({ rule, name, calls, says }));

test.each<Row>([
  ...rows("legacy/timestamps-are-utc", [
    ["the time of the target", [creates(shifted("10:00:00")), reads({ created_at: at("10:00:00") })], "holds"],
    ["two hours later", [creates(shifted("12:00:00"))], "broken"],
    ["five hours later", [creates(shifted("15:00:00"))], "broken"],
    ["two hours earlier", [creates(shifted("08:00:00"))], "broken"],
    ["five hours and a half later", [creates(shifted("15:30:00"))], "broken"],
    ["a quarter of an hour later", [creates(shifted("10:15:00"))], "holds"],
    ["two hours and seven minutes later, as another clock", [creates(shifted("12:07:00"))], "holds"],
    ["a day earlier", [creates({ created_at: "2026-01-04T10:00:00Z", updated_at: "2026-01-04T10:00:00Z" })], "holds"],
    ["five hours later, with no clock", [creates(shifted("15:00:00"), { date: undefined })], "holds"],
    ["five hours later, with a clock of another form", [creates(shifted("15:00:00"), { date: "today" })], "holds"],
    [
      "five hours later, in the offset of that zone",
      [creates({ created_at: "2026-01-05T15:00:00+05:00" }, { date })],
      "broken",
    ],
    ["an update five hours later", [creates({}), reads({ updated_at: at("15:00:09") })], "broken"],
    ["an update ten minutes earlier", [creates({}), reads({ updated_at: at("09:50:00") })], "holds"],
    [
      "an update in a read long after the creation",
      [creates({}), reads({ updated_at: at("11:00:00") }, { date: "Mon, 05 Jan 2026 12:00:00 GMT" })],
      "holds",
    ],
    ["a read alone", [reads(shifted("15:00:00"))], "holds"],
    ["the turn of the user", [creates(turnAt(tenOClock), { date: undefined })], "holds"],
    [
      "a turn of the user five hours before",
      [
        {
          operation: "create",
          answer: legacyConversation([processingQuestion({ ...shifted("15:00:00"), ...turnAt(tenOClock) })]),
        },
      ],
      "broken",
    ],
    [
      "a turn of the user an hour and a minute before",
      [
        {
          operation: "create",
          answer: legacyConversation([processingQuestion({ ...shifted("11:01:00"), ...turnAt(tenOClock) })]),
        },
      ],
      "holds",
    ],
    [
      "a reset an hour after 1970",
      [reads({}, { answer: retrievedConversation([], { quota_usage: { reset_time: "1970-01-01T01:00:00Z" } }) })],
      "broken",
    ],
    [
      "a reset at the beginning of 1970",
      [reads({}, { answer: retrievedConversation([], { quota_usage: { reset_time: "1970-01-01T00:00:00Z" } }) })],
      "broken",
    ],
    [
      "a reset in the year 1",
      [reads({}, { answer: retrievedConversation([], { quota_usage: { reset_time: "0001-01-01T00:00:00Z" } }) })],
      "broken",
    ],
    [
      "a reset last month",
      [reads({}, { answer: retrievedConversation([], { quota_usage: { reset_time: "2025-12-01T00:00:00Z" } }) })],
      "holds",
    ],
  ]),
  ...rows("current/times-are-utc", [
    ["the time of the target", [createsCurrent("10:00:00")], "holds"],
    ["five hours later", [createsCurrent("15:00:00")], "broken"],
    ["two hours earlier", [createsCurrent("08:00:00")], "broken"],
    ["five hours later, with underscores", [createsCurrent("15:00:00", ["create_time", "update_time"])], "broken"],
    ["twenty minutes later", [createsCurrent("10:20:00")], "holds"],
    ["no clock", [{ ...createsCurrent("15:00:00"), date: undefined }], "not observed"],
    ["a time to retry in a minute", [createsCurrent("10:00:00"), fails(at("10:01:00"))], "holds"],
    ["a time to retry a second before the question", [createsCurrent("10:00:00"), fails(at("09:59:59"))], "holds"],
    ["a time to retry between question and answer", [createsCurrent("10:00:00"), fails(at("10:00:05"))], "holds"],
    ["a time to retry of another offset", [createsCurrent("10:00:00"), fails("2026-01-05T19:01:00+09:00")], "holds"],
    ["a time to retry five hours before the question", [createsCurrent("10:00:00"), fails(at("05:00:00"))], "broken"],
    ["a time to retry in the year 1", [createsCurrent("10:00:00"), fails("0001-01-01T00:00:00Z")], "broken"],
    [
      "a time to retry at the beginning of 1970, and no clock",
      [{ ...createsCurrent("10:00:00"), date: undefined }, fails("1970-01-01T00:00:00Z", "retry_time")],
      "broken",
    ],
  ]),
  ...rows("legacy/time-is-in-milliseconds", [
    ["a second", [creates({}), millis(1_000)], "holds"],
    ["five minutes, more than was waited", [creates({}), millis(300_000)], "holds"],
    ["two seconds in nanoseconds", [creates({}), millis(2_000_000_000)], "broken"],
    ["two seconds in microseconds", [creates({}), millis(2_000_000)], "broken"],
    ["two seconds in nanoseconds, asked by nobody knows", [millis(2_000_000_000)], "holds"],
    ["a point in time, asked by nobody knows", [millis(1_767_607_200_000)], "broken"],
    ["two seconds in nanoseconds, in a list", [creates({}), listed(millis(2_000_000_000))], "broken"],
    [
      "a recording without times",
      [
        creates({}, { sentAtMicros: 0, endedAtMicros: 9 }),
        { ...millis(2_000_000_000), sentAtMicros: 0, endedAtMicros: 9 },
      ],
      "holds",
    ],
    ["zero", [creates({}), millis(0)], "not observed"],
    ["a negative number", [creates({}), millis(-1)], "not observed"],
    ["a text", [creates({}), millis("12")], "not observed"],
  ]),
])("$rule with $name: $says", ({ rule, calls, says }) => {
  expect(describeReport(rule, calls)).toBe(says);
});

/** A read whose question says that it took this long; it is answered two seconds after the creation was sent. */
function millis(value: unknown): CallSketch {
  const stats = { ...statsOf(3), time_millis: value };
  return {
    operation: "get",
    sentAtMicros: 1_900_000,
    endedAtMicros: 2_000_000,
    answer: retrievedConversation([completedQuestion({ stats })]),
  };
}

function listed(sketch: CallSketch): CallSketch {
  return { ...sketch, operation: "list", answer: [sketch.answer] };
}

describe("a finding", () => {
  test.each<{ rule: ConversationRuleId; calls: readonly CallSketch[]; message: string; pointer: string }>([
    {
      rule: "legacy/timestamps-are-utc",
      calls: [
        creates({ created_at: at("15:30:00") }, { answer: legacyConversation([], { created_at: at("15:30:00") }) }),
      ],
      message:
        "`created_at` is in a different time zone: `2026-01-05T15:30:00Z` is 5.5 hours after the clock of the target (`Date`)",
      pointer: "/created_at",
    },
    {
      rule: "legacy/timestamps-are-utc",
      calls: [
        creates(
          {},
          { answer: legacyConversation([processingQuestion({ created_at: at("15:00:00"), ...turnAt(tenOClock) })]) },
        ),
      ],
      message:
        "`created_at` is in a different time zone: `2026-01-05T15:00:00Z` is 5 hours after the `timestamp` of the user's turn, in Unix seconds",
      pointer: "/questions/0/created_at",
    },
    {
      rule: "legacy/time-is-in-milliseconds",
      calls: [creates({}), millis(2_000_000_000)],
      message:
        "`time_millis` is 2000000000, which is not in milliseconds, and the question was asked only 2000 ms before this response",
      pointer: "/questions/0/stats/time_millis",
    },
  ])("of $rule says what was seen and where", ({ rule, calls, message, pointer }) => {
    const violations = outcomeOf(rule, calls).findings.filter(({ kind }) => kind === "violation");
    expect(violations).toMatchObject([{ kind: "violation", message, pointer }]);
  });
});
