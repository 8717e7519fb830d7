import { closedObject, count, implies, type Stored } from "@assay/reading";
import * as Type from "typebox";
import { ExitCodeShape, outcomeHasItsExitCode } from "./exit-codes.ts";
import { OutcomeShape } from "./outcome.ts";
import { schemaHeader, ToolShape, schemaVersionSchema } from "./schema-header.ts";
import { type RuleStanding, ruleStandings } from "./rule-standing.ts";
import { FindingShape, RuleVerdictShape } from "./verdict.ts";

export const IncompleteReasonShape = closedObject(
  {
    code: Type.Enum([
      "unreachable",
      "authentication-refused",
      "not-the-api",
      "transport",
      "limit",
      "deadline",
      "empty-selection",
      "nothing-observed",
      "must-test",
      "bail",
      "too-few-tested",
      "evidence-incomplete",
      "not-judged",
      "invalid-load",
    ]),
    message: Type.String({ description: "The cause, the location and the next step, as one sentence." }),
  },
  { $id: "incompleteReason" },
);
/** Why a run is incomplete: a closed code, and one sentence with the cause, the location and the next step. */
export interface IncompleteReason extends Stored<typeof IncompleteReasonShape> {}

const ExchangeSummaryShape = closedObject(
  {
    id: Type.String(),
    interface: Type.String({ description: "Interface, such as `legacy`." }),
    operation: Type.String({ description: "Operation, such as `create`." }),
    probe: Type.String({ description: "The planned request that it belongs to." }),
    url: Type.String(),
    status: Type.Optional(count("HTTP status.")),
    bytes: count("Bytes of the response body."),
    events: count("Events of a stream."),
    matches: count("Matches of a stream."),
    firstMatchMicros: Type.Optional(
      count("Microseconds from sending to the last byte of the first `matches` event that is not empty."),
    ),
    durationMicros: count("Microseconds from sending to the end."),
    failure: Type.Optional(Type.String({ description: "One sentence if the exchange failed." })),
  },
  { $id: "exchange", description: "One request of the run." },
);
/** One request of the run. */
export interface ExchangeSummary extends Stored<typeof ExchangeSummaryShape> {}

const ApiDocumentReportShape = closedObject(
  {
    notes: Type.Array(Type.String(), {
      description: "Parts of the document that could not be used, or why no document could, each as one sentence.",
    }),
    unseen: Type.Array(Type.String(), {
      description: "Documented operations and statuses that did not occur in the run.",
    }),
    source: Type.Enum(["served", "pinned"], {
      description:
        "`served`: the target's own document, or one passed by the user. `pinned`: the one included in Assay.",
    }),
    address: Type.Optional(Type.String({ description: "Address of the document. Absent for the pinned one." })),
    sha256: Type.Optional(
      Type.String({
        pattern: "^[0-9a-f]{64}$",
        description: "SHA-256 of the received document, in lower-case hex. Absent for the pinned one.",
      }),
    ),
    differences: Type.Array(Type.String(), {
      description: "Differences from the pinned document, one sentence each, in the order of operations.",
    }),
  },
  {
    description:
      "The OpenAPI document that responses of the conversation API were checked against. Absent if no response of that API was judged.",
  },
);
/** The OpenAPI document that responses of the conversation API were checked against. */
export interface ApiDocumentReport extends Stored<typeof ApiDocumentReportShape> {}

/** Shape of the errors in known-failure lists. */
export const MistakesShape = Type.Optional(
  Type.Array(Type.String(), {
    minItems: 1,
    description:
      "Errors in known-failure lists, one sentence each with list and line. Any of them fails the run. Absent if there are none.",
  }),
);

/** Shape of the number of verdicts of each standing. */
export const CountsShape = Type.Unsafe<Record<RuleStanding, number>>(
  closedObject(Object.fromEntries(ruleStandings.map((standing) => [standing, count()])), {
    description: "Number of verdicts of each standing. A known failure does not count as failed.",
  }),
);

/** The content of `verdicts.json`. Members are written in this order. */
export const RunResultShape = closedObject(
  {
    schemaVersion: schemaVersionSchema(2),
    tool: ToolShape,
    run: closedObject({
      id: Type.String(),
      startedAt: Type.String({ description: "Wall clock at the start, ISO 8601 in UTC." }),
      target: Type.String({ description: "Base URL of the target, or the file that was checked." }),
      embedded: Type.Boolean({ description: "Whether the target was the reference server included in Assay." }),
      profile: Type.String(),
      seed: Type.Integer(),
      strict: Type.Boolean({ description: "Whether warnings fail the run." }),
      foundAccess: Type.Optional(
        Type.Enum(["private", "public"], {
          description:
            "`private`: searches without a token were refused. `public`: they were answered. Absent if access was declared or is unclear.",
        }),
      ),
      httpVersions: Type.Optional(
        Type.Array(Type.String(), {
          minItems: 1,
          description: "HTTP versions of the responses, such as `1.1`, in order. Absent if unknown.",
        }),
      ),
    }),
    outcome: OutcomeShape,
    exitCode: ExitCodeShape,
    summary: Type.String({ description: "The outcome in one sentence." }),
    incomplete: Type.Array(IncompleteReasonShape, {
      description: "Why the run is incomplete. Empty if the verdicts decide it.",
    }),
    knownFailureMistakes: MistakesShape,
    knownFailureNotes: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description:
          "Known failures from lists included in Assay that did not occur, each as one sentence. They fail nothing. Absent if there are none.",
      }),
    ),
    counts: CountsShape,
    verdicts: Type.Array(RuleVerdictShape),
    unspecified: Type.Array(closedObject({ behaviour: Type.String(), seen: Type.Array(FindingShape) }), {
      description: "Permitted choices of the target by row of the behaviour register. They never fail.",
    }),
    openapi: Type.Optional(ApiDocumentReportShape),
    exchanges: Type.Array(ExchangeSummaryShape),
  },
  {
    ...schemaHeader("verdicts", 2, "Result of an Assay run"),
    description: "The content of `verdicts.json`: everything that a run found. The same evidence gives the same bytes.",
    allOf: [
      ...outcomeHasItsExitCode,
      implies(
        { properties: { outcome: { const: "passed" } }, required: ["outcome"] },
        {
          properties: {
            incomplete: { maxItems: 0 },
            knownFailureMistakes: false,
            counts: { properties: { failed: { const: 0 }, fixed: { const: 0 } } },
            verdicts: { minItems: 1 },
          },
        },
      ),
    ],
  },
);
/** The result of a run. Every report is rendered from it, and `verdicts.json` is its JSON. The same evidence gives the same bytes. */
export interface RunResult extends Stored<typeof RunResultShape> {}
