import { closedObject, type Stored } from "@assay/reading";
import * as Type from "typebox";
import { digestOptions, exactCount, NameShape } from "../exchange.ts";

/** Names of the files of a bundle, relative to its folder. */
export const bundleFiles = {
  manifest: "manifest.json",
  exchanges: "exchanges.ndjson",
  bodies: "bodies",
  footer: "footer.json",
} as const;

const KnownFailureFileShape = closedObject({
  source: Type.String({ description: "The list as the user specified it." }),
  text: Type.String(),
  isShipped: Type.Optional(Type.Boolean({ description: "Whether the list is part of Assay. Default: false." })),
});
/** A list of known failures given to a run. */
export interface KnownFailureFile extends Stored<typeof KnownFailureFileShape> {}
export const KnownFailureFilesShape = Type.Array(KnownFailureFileShape, {
  description: "Known-failure files of the run, in full, so that judging again does not depend on later changes.",
});

export const ManifestShape = closedObject({
  schemaVersion: Type.Literal(1),
  runId: NameShape,
  tool: closedObject({ name: Type.Literal("assay"), version: Type.String() }),
  startedAt: Type.String({ description: "Wall clock at the start, ISO 8601 UTC. Never used for durations." }),
  target: closedObject({
    url: Type.String(),
    access: Type.Enum(["private", "public", "undeclared"]),
    sharing: Type.Optional(
      Type.Enum(["on", "off", "undeclared"], {
        description: "Whether other users may read conversations with their read token. Default: undeclared.",
      }),
    ),
    asksNothing: Type.Optional(
      Type.String({
        description: "The reason why the target must not be asked questions, as a clause. Absent if it may.",
      }),
    ),
    embedded: Type.Boolean(),
  }),
  profile: Type.String(),
  seed: Type.Number(),
  rules: Type.Array(Type.String(), { description: "Ids of the selected rules, sorted." }),
  strict: Type.Boolean(),
  proof: Type.Optional(
    Type.Boolean({ description: "Whether passed rules are confirmed with altered responses. Default: true." }),
  ),
  digests: closedObject(
    { catalogue: Type.String(digestOptions), openapi: Type.String(digestOptions) },
    { description: "Digests of everything else that rules depend on: SHA-256, lower-case hex." },
  ),
  knownFailures: Type.Optional(KnownFailureFilesShape),
  notes: Type.Optional(
    Type.Array(Type.String(), { description: "Messages about parts of a complete run that could not be judged." }),
  ),
});
/**
 * The description of a run, written before its first exchange. It contains everything, in addition to the exchanges, that judging needs.
 */
export interface Manifest extends Stored<typeof ManifestShape> {}

export const stopCauses = ["deadline", "broken-searches", "bail"] as const;
export type StopCause = (typeof stopCauses)[number];

export const unsentCauses = ["busy", "quota", "budget", "token", "bail", "other"] as const;
/**
 * The reason a probe was not sent.
 * - `busy`: the target was too busy
 * - `quota`: a quota of the user was exhausted
 * - `budget`: the run had no questions left
 * - `token`: a token was not set
 * - `bail`: enough rules had failed
 * - `other`: a prerequisite of the probe was missing
 */
export type UnsentCause = (typeof unsentCauses)[number];

const UnsentProbeShape = closedObject({
  interface: Type.Enum(["stream", "legacy", "current"]),
  probe: NameShape,
  cause: Type.Enum(unsentCauses),
  reason: Type.String({ description: "A clause." }),
});
/** A planned probe that was not sent. */
export interface UnsentProbe extends Stored<typeof UnsentProbeShape> {}

export const FooterShape = closedObject({
  exchanges: exactCount("Number of exchanges."),
  bodies: exactCount("Number of stored bodies."),
  exchangesSha256: Type.String({ ...digestOptions, description: "SHA-256 of `exchanges.ndjson`, lower-case hex." }),
  manifestSha256: Type.Optional(
    Type.String({ ...digestOptions, description: "SHA-256 of `manifest.json`, lower-case hex. Absent in older runs." }),
  ),
  ended: Type.Enum(["complete", "stopped", "interrupted"], {
    description: "The way in which sending requests ended.",
  }),
  cause: Type.Optional(
    Type.Enum(stopCauses, {
      description:
        "The cause of an early stop: the time limit of the run, repeated connection failures of searches, or the maximum number of failed rules.",
    }),
  ),
  reason: Type.Optional(Type.String({ description: "The reason for an early stop, one sentence." })),
  left: Type.Optional(
    Type.String({
      description: "A message about conversations that could not be deleted from the target. Absent if none are left.",
    }),
  ),
  unsent: Type.Optional(
    Type.Array(UnsentProbeShape, {
      description: "Planned probes that were not sent, in order. Absent if all were sent.",
    }),
  ),
});
/** Written last. A bundle without it is incomplete. */
export interface Footer extends Stored<typeof FooterShape> {}
