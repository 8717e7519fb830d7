import { closedObject, count, taggedUnion, type Stored } from "@assay/reading";
import * as Type from "typebox";
import { ExitCodeShape } from "../exit-codes.ts";
import { OutcomeShape } from "../outcome.ts";
import { schemaHeader, ToolShape, schemaVersionSchema } from "../schema-header.ts";
import { CountsShape, IncompleteReasonShape } from "../run-result.ts";
import { RequirementsShape, VerdictShape } from "../verdict.ts";

const BasisShape = Type.Enum(["stated", "derived", "inferred"], {
  description:
    "`stated`: the specifications or HTTP state it. `derived`: it follows from them. `inferred`: it is likely.",
});
/** The basis of a check: the specifications or HTTP state it (`stated`), it follows from them (`derived`), or it is likely (`inferred`). */
export type ClientCheckBasis = Stored<typeof BasisShape>;

const ClientCheckShape = closedObject(
  {
    check: Type.String({ description: "Id of the check, such as `search/no-repeat`." }),
    title: Type.String({ description: "Behaviour of a correct client, as a clause." }),
    basis: BasisShape,
    requirements: RequirementsShape,
    because: Type.Optional(
      Type.String({ description: "The reason for the check if it has no requirement, as one sentence." }),
    ),
    verdict: VerdictShape,
  },
  { $id: "check", description: "The verdict of one check in one trial." },
);
/** The verdict of one check in one trial. */
export interface ClientCheck extends Stored<typeof ClientCheckShape> {}

const ClientEndShape = taggedUnion(
  "kind",
  [
    closedObject({ kind: Type.Literal("exited"), status: count() }),
    closedObject({ kind: Type.Literal("signalled"), signal: Type.String() }),
    closedObject({ kind: Type.Literal("killed"), why: Type.Enum(["deadline", "lingering", "interrupted"]) }),
  ],
  { description: "How the client ended: by itself, by a signal that Assay did not send, or killed by Assay." },
);
/** How a client ended: by itself, by a signal that Assay did not send, or killed by Assay. */
export type ClientEnd = Stored<typeof ClientEndShape>;

const ParticipationShape = Type.Enum(["took-part", "skipped", "no-request"], {
  description:
    "Whether the client took part. `skipped`: it exited with status 77 and sent no request. `no-request`: it did not send the requests of its task, or it only searched although its task was to ask a question.",
});
/** Whether the client took part. */
export type ClientParticipation = Stored<typeof ParticipationShape>;

const ClientTrialShape = closedObject(
  {
    trial: Type.String(),
    interface: Type.Enum(["stream", "legacy", "current"]),
    task: Type.String({ description: "Task of the client: `search`, `ask` or `cancel`." }),
    title: Type.String({ description: "Behaviour of the server, as a clause." }),
    participation: ParticipationShape,
    requests: count("Number of requests that arrived at the server."),
    durationMs: Type.Number({ minimum: 0 }),
    end: ClientEndShape,
    lastWords: Type.String({ description: "The end of standard error, tokens replaced." }),
    checks: Type.Array(ClientCheckShape),
  },
  { $id: "trial", description: "One trial of a client." },
);
/** One trial of a client. */
export interface ClientTrial extends Stored<typeof ClientTrialShape> {}

export const ClientReportShape = closedObject(
  {
    schemaVersion: schemaVersionSchema(2),
    tool: ToolShape,
    run: closedObject({
      startedAt: Type.String({ description: "Wall clock at the start, ISO 8601 in UTC." }),
      command: Type.Array(Type.String(), { description: "Program and arguments, as passed." }),
      timeoutMs: Type.Number({ minimum: 0, description: "Time limit of a trial." }),
      lingerMs: Type.Number({
        minimum: 0,
        description: "How long a client may continue after its task. It is watched for that time.",
      }),
    }),
    outcome: OutcomeShape,
    exitCode: ExitCodeShape,
    summary: Type.String({ description: "The outcome in one sentence." }),
    incomplete: Type.Array(IncompleteReasonShape),
    counts: CountsShape,
    trials: Type.Array(ClientTrialShape),
  },
  {
    ...schemaHeader("client", 2, "Result of assay client"),
    description: "The output of `assay client --json`, and the content of `client.json`.",
  },
);
/** The result of all trials of a client. Every report is rendered from it. */
export interface ClientReport extends Stored<typeof ClientReportShape> {}
