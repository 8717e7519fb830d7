import { closedObject, count, nonEmptyArray, implies, taggedUnion, type Stored } from "@assay/reading";
import * as Type from "typebox";

declare const positive: unique symbol;
/** A count of at least one, created by `toPositiveCount`, so that an unchecked rule cannot be `passed`. */
export type PositiveCount = number & { readonly [positive]: true };

const ExcerptShape = closedObject(
  {
    offset: count("Offset in the response body of the first byte of `before`, from 0."),
    before: Type.String(),
    marked: Type.String({ description: "The offending bytes." }),
    after: Type.String(),
  },
  { description: "The offending bytes with context, escaped and truncated." },
);
export interface Excerpt extends Stored<typeof ExcerptShape> {}

export const FindingShape = closedObject(
  {
    kind: Type.Enum(["violation", "note"], {
      description: "`violation`: the rule fails or warns. `note`: a permitted choice, which never fails.",
    }),
    code: Type.Optional(
      Type.String({
        description: "Code from a fixed set. Absent for violations of a rule that has only one kind.",
      }),
    ),
    argument: Type.Optional(
      Type.String({
        description:
          "Subject of the code: a member, a value, an operation. Known-failure entries write it after the code.",
      }),
    ),
    message: Type.String({ description: "The finding in one sentence, visibly escaped." }),
    exchange: Type.Optional(Type.String({ description: "Id of the exchange that shows the finding." })),
    event: Type.Optional(count("Index of the event in its stream, from 0.")),
    offset: Type.Optional(count("Offset of the first offending byte in the response body, from 0.")),
    length: Type.Optional(count("Number of offending bytes; 0 if bytes are missing at `offset`.")),
    pointer: Type.Optional(Type.String({ description: "JSON pointer into the data of the event." })),
    standardClient: Type.Optional(
      Type.Enum(["same-events", "other-events", "error"], {
        description: "Effect on a client with a standard event-stream parser.",
      }),
    ),
    excerpt: Type.Optional(ExcerptShape),
    curl: Type.Optional(Type.String({ description: "A command that repeats the request, without secrets." })),
  },
  { $id: "finding" },
);
/** A reported finding: text visibly escaped, with the received bytes and a command that repeats the request. */
export interface ReportedFinding extends Stored<typeof FindingShape> {}

const PartlyBlockedShape = closedObject(
  {
    blockedBy: Type.Enum(["transport", "limit"]),
    missing: Type.String({ description: "The missing evidence, as a clause." }),
  },
  { description: "Why part of the evidence is missing. The rule failed on the rest." },
);
/** Why part of the evidence is missing for a rule that failed on the rest. */
export interface PartlyBlocked extends Stored<typeof PartlyBlockedShape> {}

const BlockedByShape = Type.Enum(["prerequisite", "transport", "limit"], {
  description: "Cause of the block: a missing prerequisite, the transport, or one of Assay's limits.",
});
export type BlockedBy = Stored<typeof BlockedByShape>;

export const VerdictShape = taggedUnion(
  "outcome",
  [
    closedObject({
      outcome: Type.Literal("passed"),
      observations: Type.Unsafe<PositiveCount>(
        Type.Integer({ minimum: 1, description: "Number of times the rule could be checked." }),
      ),
    }),
    closedObject({
      outcome: Type.Enum(["failed", "warned"]),
      findings: nonEmptyArray(FindingShape, { description: "The first findings." }),
      moreFindings: count("Number of findings that were left out."),
      affectedExchanges: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            "Number of distinct exchanges of all findings. Absent if no finding was left out, and in results of older versions.",
        }),
      ),
      partlyBlocked: Type.Optional(PartlyBlockedShape),
    }),
    closedObject({
      outcome: Type.Literal("not-tested"),
      reason: Type.Optional(Type.String({ description: "Why the rule could not be checked, if known." })),
    }),
    closedObject({ outcome: Type.Literal("not-applicable"), reason: Type.String() }),
    closedObject({
      outcome: Type.Literal("blocked"),
      blockedBy: BlockedByShape,
      missing: Type.String({ description: "The missing evidence, as a clause." }),
    }),
  ],
  { $id: "verdict", description: "The outcome of a rule. The members depend on `outcome`." },
);
/**
 * The verdict on a rule. Findings are capped, and `moreFindings` counts the omitted ones. If a rule failed and was also blocked, the outcome is
 * `failed` and `partlyBlocked` holds the block. If it warned and was blocked by the transport or a limit, the outcome is `blocked`.
 */
export type Verdict = Stored<typeof VerdictShape>;
export type VerdictOutcome = Verdict["outcome"];

export const KnownFailureShape = closedObject(
  {
    reason: Type.String({ description: "Why the failure is accepted, as written in the list." }),
    owner: Type.String(),
    expires: Type.Optional(
      Type.String({
        pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
        description: "Expiry date, such as `2027-01-31`. Absent for entries of lists included in Assay.",
      }),
    ),
    source: Type.String({ description: "Path or name of the list, as given by the user." }),
    line: Type.Integer({ minimum: 1, description: "Line of the entry in the list, from 1." }),
    status: Type.Enum(["known-failure", "fixed"], {
      description:
        "`known-failure`: the rule failed or warned as listed. `fixed`: the rule passed although it is listed; the run fails until the entry is removed.",
    }),
  },
  { $id: "knownFailure", description: "The entry for this rule and target in a list of known failures." },
);
/**
 * The entry of a rule in a list of known failures. `known-failure`: the rule failed or warned as listed. `fixed`: the rule passed although
 * it is listed. The verdict itself does not change.
 */
export interface KnownFailure extends Stored<typeof KnownFailureShape> {}

export const MutationProofShape = closedObject(
  {
    mutation: Type.String({
      description: "Behaviour of a target with this mutation, as a clause, such as: leaves out `matchCount`.",
    }),
    confirmed: Type.Optional(
      closedObject(
        {
          what: Type.String({ description: "The change, as a clause." }),
          exchange: Type.String({ description: "Id of the exchange whose response was changed." }),
          offset: Type.Optional(count("Offset in the body of the first byte that was changed, from 0.")),
        },
        { description: "The altered response that makes the rule fail." },
      ),
    ),
    needs: Type.Optional(Type.String({ description: "If not confirmed: the evidence that is needed, as a clause." })),
    isOptional: Type.Optional(
      Type.Literal(true, {
        description:
          "True if the specifications allow responses that contain nothing to alter. The pass then needs no confirmation.",
      }),
    ),
    tried: Type.Optional(count("If not confirmed: the number of mutations that were tried.")),
  },
  {
    $id: "mutationProof",
    description:
      "Whether a pass is confirmed for one mutation kind: the altered response that makes the rule fail, or what would be needed for one.",
    ...implies({ required: ["confirmed"] }, { maxProperties: 2 }, { required: ["needs", "tried"] }),
  },
);
/** Whether a pass is confirmed for one mutation kind. */
export interface MutationProof extends Stored<typeof MutationProofShape> {}

/** Returns a JSON Schema condition: a known failure of this status requires one of these outcomes. */
const restrictKnownStatus = (status: KnownFailure["status"], outcomes: readonly VerdictOutcome[]): object =>
  implies(
    { properties: { known: { properties: { status: { const: status } } } }, required: ["known"] },
    { properties: { verdict: { properties: { outcome: { enum: outcomes } } } } },
  );

export const BasisShape = Type.Enum(["stated", "schema", "derived", "inferred", "observed"]);

export const RequirementsShape = Type.Array(
  closedObject({ id: Type.String(), specification: Type.String(), section: Type.String(), text: Type.String() }),
  { description: "The requirements that the rule checks, paraphrased." },
);

export const RuleVerdictShape = closedObject(
  {
    rule: Type.String({ description: "Id of the rule. Ids are never reused." }),
    interface: Type.String(),
    operation: Type.String(),
    title: Type.String({ description: "The rule, as one sentence." }),
    basis: BasisShape,
    requirements: RequirementsShape,
    mustTest: Type.Boolean({ description: "Whether the profile requires that this rule was tested." }),
    verdict: VerdictShape,
    known: Type.Optional(KnownFailureShape),
    proof: Type.Optional(
      Type.Array(MutationProofShape, {
        minItems: 1,
        description:
          "One entry for each mutation kind of the rule. Absent if the rule did not pass, if confirmation was not requested, and for rules without mutations.",
      }),
    ),
    notes: Type.Optional(Type.Array(FindingShape, { description: "Permitted choices of the target, capped." })),
  },
  {
    $id: "ruleVerdict",
    description: "The verdict of one rule on one operation of one interface.",
    allOf: [
      {
        $comment: "Only a rule that failed or warned can be a known failure.",
        ...restrictKnownStatus("known-failure", ["failed", "warned"]),
      },
      { $comment: "Only a rule that passed can be fixed.", ...restrictKnownStatus("fixed", ["passed"]) },
      {
        $comment: "A rule passes only if every mutation kind that is not optional is confirmed.",
        ...implies(
          { properties: { verdict: { properties: { outcome: { const: "passed" } } } } },
          { properties: { proof: { items: { anyOf: [{ required: ["confirmed"] }, { required: ["isOptional"] }] } } } },
        ),
      },
    ],
  },
);
/** The verdict of one rule on one operation of one interface. */
export interface RuleVerdict extends Stored<typeof RuleVerdictShape> {}
