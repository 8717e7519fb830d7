import { profileNames } from "@assay/contract";
import { closedObject, nonEmptyArray, mapShape, taggedUnion } from "@assay/reading";
import * as Type from "typebox";
import { schemaHeader } from "../schema-header.ts";
import { ruleStandings } from "../rule-standing.ts";
import { BasisShape, MutationProofShape } from "../verdict.ts";

const RuleIdShape = Type.String({ pattern: "^[a-z]+/[a-z0-9-]+$" });
const RequirementIdShape = Type.String({
  pattern: "^(?:search-stream|conversation-api)#",
  description: "Id of a requirement.",
});

/** Result of a rule in a run. */
const RuleSeenShape = closedObject({
  id: RuleIdShape,
  seen: Type.Enum(["not-selected", ...ruleStandings], { description: "Verdict of the run on the rule." }),
  proof: Type.Optional(Type.Array(MutationProofShape, { minItems: 1 })),
});

/** Shapes of the output of `assay list --json` with its flags. */
export const listShapes = {
  "list-rules": Type.Array(
    closedObject({
      id: RuleIdShape,
      basis: BasisShape,
      title: Type.String({ description: "The rule, as one sentence." }),
      why: Type.Optional(
        Type.String({
          description:
            "Effect on a client if the rule fails, as one or two sentences. Absent if the chapter gives the reason.",
        }),
      ),
      requirements: nonEmptyArray(RequirementIdShape),
      interface: Type.Enum(["stream", "legacy", "current", "migration"]),
      operation: Type.Enum(["search", "create", "get", "list", "follow-up", "cancel", "delete", "conversation"]),
      chapter: Type.String(),
      searches: Type.Array(Type.Enum(["stream", "parameters", "comparison", "access"]), {
        description: "Kinds of searches that can test the rule.",
      }),
      demandedBy: Type.Optional(
        Type.Enum(profileNames, { description: "Smallest profile that requires the rule to be tested." }),
      ),
      since: Type.Optional(Type.String({ description: "First version of Assay with the rule." })),
      probes: Type.Array(Type.String(), { description: "Kinds of conversation requests that can test the rule." }),
      codes: Type.Array(Type.String(), {
        description: "Codes that distinguish the findings of the rule. Empty if there is only one kind.",
      }),
      notTested: Type.Optional(
        Type.String({ description: "Why the rule may not have been tested and what may help, as a clause." }),
      ),
      mayBeUntested: Type.Optional(
        Type.Literal(true, {
          description: "Whether a run is complete without the rule, because few targets can show it.",
        }),
      ),
      likelyCause: Type.Optional(
        Type.String({ description: "The most frequent cause of a failure although the server is healthy." }),
      ),
    }),
    { ...schemaHeader("list-rules", 2, "Rules"), description: "The output of `assay list --json`." },
  ),
  "list-coverage": Type.Array(
    closedObject({
      id: RequirementIdShape,
      specification: Type.Enum(["search-stream", "conversation-api"]),
      section: Type.String(),
      text: Type.String({ description: "The requirement, in the project's own words." }),
      coverage: taggedUnion("kind", [
        closedObject({
          kind: Type.Literal("rules"),
          rules: nonEmptyArray(Type.Union([RuleIdShape, RuleSeenShape]), { description: "Ids; with `--run` objects." }),
          partly: Type.Optional(Type.String({ description: "The part that no rule tests yet." })),
        }),
        closedObject({ kind: Type.Literal("unspecified"), behaviour: Type.String() }),
        closedObject({ kind: Type.Literal("not-observable"), reason: Type.String() }),
      ]),
    }),
    {
      ...schemaHeader("list-coverage", 2, "Requirements of the specifications"),
      description: "The output of `assay list --coverage --json`, with and without `--run`.",
    },
  ),
  "list-unspecified": Type.Array(
    closedObject({
      id: Type.String(),
      origin: Type.Enum(["not-shown", "silent"]),
      unknown: Type.String(),
      accepted: nonEmptyArray(Type.String(), { description: "Every behaviour that is accepted." }),
      recorded: Type.String({ description: "The part of the choice that a run records." }),
      requirements: nonEmptyArray(RequirementIdShape),
    }),
    {
      ...schemaHeader("list-unspecified", 1, "Unspecified behaviour"),
      description: "The output of `assay list --unspecified --json`.",
    },
  ),
  "list-faults": Type.Array(
    closedObject({
      id: Type.String(),
      description: Type.String(),
      kind: Type.Enum(["legal", "note", "transport", "violation"]),
      layer: Type.Enum(["access", "answer", "bytes", "conversation", "events", "frames", "index", "parameters"]),
      parameters: mapShape(
        Type.Union([
          closedObject({
            title: Type.String(),
            default: Type.String({ description: "One of the choices." }),
            choices: nonEmptyArray(Type.String()),
          }),
          closedObject({ title: Type.String(), default: Type.Number() }),
        ]),
        { description: "Parameters by name. Each has a default." },
      ),
      attacks: Type.Optional(Type.String({ description: "Id of the rule that should fail." })),
      access: Type.Optional(Type.Enum(["private", "public"], { description: "Targets on which it has an effect." })),
    }),
    {
      ...schemaHeader("list-faults", 2, "Faults of the reference server"),
      description: "The output of `assay list --faults --json`.",
    },
  ),
  "list-profiles": Type.Array(
    closedObject({
      name: Type.Enum(profileNames),
      purpose: Type.String(),
      rules: Type.Array(RuleIdShape),
      mustTest: Type.Array(RuleIdShape),
    }),
    { ...schemaHeader("list-profiles", 2, "Profiles"), description: "The output of `assay list --profiles --json`." },
  ),
};
