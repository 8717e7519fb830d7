import { closedObject, count, taggedUnion, type Stored } from "@assay/reading";
import * as Type from "typebox";
import type { TLiteral, TObject, TProperties, TString } from "typebox";
import { ExitCodeShape } from "./exit-codes.ts";
import { OutcomeShape } from "./outcome.ts";
import { schemaHeader, schemaVersionSchema } from "./schema-header.ts";
import { ruleStandings } from "./rule-standing.ts";
import { IncompleteReasonShape } from "./run-result.ts";

const entryShape = <const Event extends string, Members extends TProperties>(
  event: Event,
  members: Members,
  description?: string,
): TObject<{ at: TString; event: TLiteral<Event> } & Members> =>
  closedObject(
    { at: Type.String({ description: "Wall clock, ISO 8601 in UTC." }), event: Type.Literal(event), ...members },
    description === undefined ? {} : { description },
  );

/** One line of `log.ndjson`. */
export const LogEntryShape = taggedUnion(
  "event",
  [
    entryShape("run-started", {
      schemaVersion: schemaVersionSchema(2),
      kind: Type.Enum(["contract", "load"], {
        description: "`load`: a load test. `profile` and `strict` are then absent.",
      }),
      tool: closedObject({ name: Type.String(), version: Type.String() }),
      run: closedObject({
        id: Type.String(),
        target: Type.String(),
        embedded: Type.Boolean(),
        seed: count(),
        profile: Type.Optional(Type.String()),
        strict: Type.Optional(Type.Boolean()),
        scenario: Type.Optional(Type.String()),
      }),
    }),
    entryShape("probe-started", { probe: Type.String() }),
    entryShape(
      "probe-finished",
      {
        probe: Type.String(),
        exchange: Type.String(),
        interface: Type.String(),
        operation: Type.String(),
        status: Type.Enum(["complete", "failed"]),
        httpStatus: Type.Optional(count("Status of the response, if there was one.")),
        bytes: count(),
        ms: Type.Number({ minimum: 0 }),
        failure: Type.Optional(Type.String({ description: "One sentence if it failed." })),
      },
      "How a request ended. Nothing is judged yet.",
    ),
    entryShape("probe-skipped", { probe: Type.String(), reason: Type.String() }),
    entryShape("question-asked", {
      asked: count(),
      allowed: Type.Optional(count("Absent if there is no limit.")),
    }),
    entryShape(
      "load-progress",
      {
        elapsedMs: Type.Number({ minimum: 0 }),
        ok: count(),
        failed: count(),
        violations: count(),
        underWay: Type.Optional(count("Number of busy virtual users.")),
        p50Ms: Type.Optional(Type.Number({ minimum: 0, description: "Median of the latest values of `metric`." })),
        metric: Type.Optional(Type.Enum(["first-match", "poll"])),
      },
      "Counts of all phases so far.",
    ),
    entryShape("judging", {}),
    entryShape("verdict", {
      rule: Type.String(),
      interface: Type.String(),
      operation: Type.String(),
      standing: Type.Enum(ruleStandings),
      red: Type.Boolean({ description: "Whether it makes the run fail." }),
      message: Type.Optional(Type.String({ description: "The first finding, or why the rule was not judged." })),
    }),
    entryShape("threshold", {
      threshold: Type.String(),
      severity: Type.Optional(Type.Enum(["warn", "abort"])),
      ok: Type.Optional(Type.Boolean()),
    }),
    entryShape("incomplete", IncompleteReasonShape.properties),
    entryShape("run-finished", { outcome: OutcomeShape, exitCode: ExitCodeShape, summary: Type.String() }),
  ],
  {
    ...schemaHeader("log", 2, "A line of the log"),
    description:
      "Each line of `log.ndjson` is one of these, for contract tests and load tests. `run-finished` comes last and once.",
  },
);
/** One line of `log.ndjson`. */
export type LogEntry = Stored<typeof LogEntryShape>;

type WithoutTime<Entry> = Entry extends unknown ? Omit<Entry, "at"> : never;
/** An event of a run, in order of time. `run-finished` occurs once, at the end. */
export type LogEvent = WithoutTime<LogEntry>;

/** How a request ended. Nothing is judged yet. */
export type LoggedRequest = Omit<Extract<LogEvent, { readonly event: "probe-finished" }>, "event">;
