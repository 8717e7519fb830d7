import { closedObject, count, type Stored } from "@assay/reading";
import * as Type from "typebox";
import { loadShapes } from "./load-shape.ts";

const amountShape = (description?: string) =>
  Type.Number({ minimum: 0, ...(description === undefined ? {} : { description }) });

const LoadQueryShape = closedObject(
  {
    name: Type.String({ description: "Short name for tags and tables: `[a-z0-9-]`, at most 40 characters." }),
    text: Type.String({ description: "Text of the query, or of the question." }),
  },
  { $id: "query" },
);
/** A query or question. Every block of a comparison sends each of them equally often. */
export interface LoadQuery extends Stored<typeof LoadQueryShape> {}

const LoadBlocksShape = closedObject(
  {
    pairs: count("Measured pairs of blocks. A pair has one block of each target."),
    warmupPairs: count("Pairs before them, whose samples are discarded."),
    requestsPerBlock: count(),
    gapRequests: count("Arrivals left out between two blocks, so that streams of one do not overlap the next."),
    seed: Type.Integer({ description: "Seed of the order of queries. Both blocks of a pair use the same order." }),
  },
  { description: "Blocks of requests that alternate between two targets within one run: base, head, head, base." },
);
/** Blocks of requests that alternate between two targets within one run: base, head, head, base. */
export interface LoadBlocks extends Stored<typeof LoadBlocksShape> {}

const ConversationLoadShape = closedObject(
  {
    interface: Type.Enum(["legacy", "current"]),
    pollIntervalMs: amountShape("Interval between two reads of a conversation by any poller."),
    pollers: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          "Pollers that take turns in reading each conversation, so that a slow response does not delay the next read. 1 if absent.",
      }),
    ),
    deadlineMs: amountShape("From creation to the end of polling, in any state."),
    questions: Type.Array(LoadQueryShape),
    marker: Type.String({ description: "Id of the run. Each question ends with `[assay run=<marker>]`." }),
    budget: count("Maximum number of questions in the whole run, warm-up included."),
  },
  { description: "Settings of polling scenarios." },
);
/** Settings of polling scenarios. */
export interface ConversationLoad extends Stored<typeof ConversationLoadShape> {}

export const LoadPlanShape = closedObject(
  {
    version: Type.Literal(2),
    scenario: Type.String({ description: "Name of the scenario, such as `search-first-match`." }),
    targets: closedObject(
      {
        base: Type.String(),
        head: Type.Optional(Type.String({ description: "In a paired comparison only." })),
      },
      { description: "Base URLs without a trailing slash." },
    ),
    shape: Type.Enum(loadShapes),
    ratePerSecond: amountShape("Arrivals a second; the maximum of the shape."),
    durationMs: amountShape("Duration of the measured part. With blocks it follows from them and the rate."),
    warmupMs: amountShape(),
    queries: Type.Array(LoadQueryShape),
    blocks: Type.Optional(LoadBlocksShape),
    timeoutMs: amountShape("For one stream, or one call."),
    maxEventBytes: amountShape("A longer event ends the stream with the outcome `limit`."),
    maxVus: count(
      "Maximum number of concurrent virtual users, for each kind of arrival. No more are created than the rate and the maximum iteration time require. Only if this number is lower can a slow target prevent arrivals.",
    ),
    conversation: Type.Optional(ConversationLoadShape),
    gzip: Type.Optional(Type.Boolean({ description: "Whether a search asks for gzip." })),
  },
  { $id: "plan", description: "The input of a scenario. It contains no secrets." },
);
/** The input of a scenario, stored as `plan.json` next to the script. Contains no secrets. */
export interface LoadPlan extends Stored<typeof LoadPlanShape> {}
