import { currentProcedures } from "@assay/contract";
import { isRecord } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import { removeMember, replaceValue } from "@assay/evidence";
import { bodyEdit, withStatus } from "./mutation.ts";
import type { Mutation, MutationsByRule, Edit, Site } from "./mutation.ts";
import { findErrorCode } from "../conversation/migration/finished-pairs.ts";
import { callsOf, conversationsIn, inConversations, removing, stateHolders } from "./conversation-sites.ts";
import type { ProofEvidence } from "./proof-evidence.ts";

const readThroughBoth = "a conversation that is read through both interfaces after its end";

/** A mutation that makes the same edit in every read of one conversation through the current interface. */
const everyRead = (
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  isAbout: (view: ConversationView) => boolean,
  splice: (site: Site, view: ConversationView) => ReturnType<typeof replaceValue> | undefined,
): Mutation => ({
  ...mutation,
  *edits(evidence) {
    const reads = callsOf(evidence, { interface: "current" }).filter((call) => conversationsIn(call).some(isAbout));
    const names = new Set(reads.map((call) => conversationsIn(call)[0]?.name));
    for (const name of names) {
      const ownReads = reads.filter((call) => conversationsIn(call)[0]?.name === name);
      const edits = ownReads.flatMap(({ exchange, json, ...call }) =>
        conversationsIn({ exchange, json, ...call }).flatMap((view) => [
          ...bodyEdit(exchange, effect, [splice({ exchange, json, pointer: view.pointer, value: view.json }, view)]),
        ]),
      );
      const [first, ...more] = edits.flatMap(({ instead }) => instead);
      if (first !== undefined) {
        yield { effect, instead: [first, ...more] };
      }
    }
  },
});

const hasAnswer = ({ questions }: ConversationView): boolean => questions.some(({ facts }) => facts.has("answer"));
const isCompleted = ({ state }: ConversationView): boolean => state === "completed";
const isFailed = ({ state }: ConversationView): boolean => state === "error";

/** Replacement codes. Only the token limit has a code in both interfaces. Other limits depend on the user. */
const otherCodes: ReadonlyMap<string, string> = new Map([
  ["ERROR_TOKEN_LIMIT_EXCEEDED", "ERROR_INTERNAL"],
  ["ERROR_INTERNAL", "ERROR_TOKEN_LIMIT_EXCEEDED"],
]);

/** The pointer to the state of a conversation, which is in the conversation or in its last question. */
const stateOf = (view: ConversationView): string =>
  `${stateHolders(view).at(isRecord(view.json) && Object.hasOwn(view.json, "state") ? 0 : -1)?.[0] ?? "/none"}/state`;

const lastQuestion = ({ questions }: ConversationView): string => questions.at(-1)?.pointer ?? "/none";

/** Mutations of responses that violate the OpenAPI document. */
const openApiMutations = (name: "legacy" | "current", key: string): readonly Mutation[] => [
  {
    name: "sends a response that the document does not describe",
    needs: "a response with a conversation, or a list",
    *edits(evidence) {
      const effect = "sent text instead of an object";
      for (const operation of ["get", "create", "list", "follow-up", "cancel", "delete"] as const) {
        for (const { exchange, json } of callsOf(evidence, { interface: name, operations: [operation] })) {
          yield* bodyEdit(exchange, effect, [replaceValue(json, "", "of another type")]);
        }
      }
    },
  },
  {
    ...removing(
      `/${key}`,
      {
        name: `leaves \`${key}\` out of a conversation`,
        needs: "a conversation that is read",
        effect: `left \`${key}\` out of a conversation`,
      },
      inConversations({ interface: name, operations: ["get", "create"] }),
    ),
    isOptional: true,
  },
];

/** Removes the OpenAPI document of the target, or replaces it by other content. */
function* withoutDocument({ reference }: ProofEvidence, found: "missing" | "none"): Iterable<Edit> {
  const [first] = reference.answers;
  const exchange = reference.exchanges.find(({ record }) => record.id === first?.exchange);
  if (first !== undefined && exchange !== undefined) {
    const instead = [withStatus(exchange, found === "missing" ? 404 : 200)] as const;
    const effect = found === "missing" ? "served nothing at the reference" : "served something else at the reference";
    const other =
      found === "missing"
        ? ({ kind: "missing", status: 404 } as const)
        : ({ kind: "none", reason: "it is not one" } as const);
    yield { effect, instead, reference: [{ ...first, content: other }] };
  }
}

/** Removes one operation from the OpenAPI document of the target. */
const operationLost = (operation: keyof typeof currentProcedures): Mutation => ({
  name: `leaves ${currentProcedures[operation]} out of the schema`,
  needs: "an OpenAPI schema that the target serves",
  *edits({ reference }) {
    const { api, exchanges } = reference;
    const [exchange] = exchanges;
    if (api !== undefined && exchange !== undefined) {
      const isLost = (name: string, other: string): boolean => name === "current" && other === operation;
      yield {
        effect: `left ${currentProcedures[operation]} out of the schema`,
        instead: [exchange],
        api: {
          ...api,
          operation: (name, other) => (isLost(name, other) ? undefined : api.operation(name, other)),
        },
      };
    }
  },
});

const procedures = ["create", "get", "list", "follow-up", "cancel", "delete"] as const;

/** Mutations for the rules about both interfaces together, and about OpenAPI documents. */
export const migration = {
  "legacy/responses-fit-openapi": openApiMutations("legacy", "id"),
  "current/responses-fit-openapi": openApiMutations("current", "name"),
  "current/openapi-schema-is-served": [
    {
      name: "serves no schema",
      needs: "a request for the reference of the target",
      edits: (evidence: ProofEvidence) => withoutDocument(evidence, "missing"),
    },
    {
      name: "serves something else as the schema",
      needs: "a request for the reference of the target",
      edits: (evidence: ProofEvidence) => withoutDocument(evidence, "none"),
    },
  ],
  "current/openapi-schema-describes-operations": procedures.map((operation) => operationLost(operation)),
  "migration/questions-agree": [
    everyRead(
      { name: "shows another text of a question", needs: readThroughBoth, effect: "sent another text of a question" },
      (view) => view.questions.length > 0,
      ({ json }, view) => replaceValue(json, `${lastQuestion(view)}/input/0/question/text`, "Something else?"),
    ),
    everyRead(
      { name: "shows fewer questions", needs: readThroughBoth, effect: "left a question out" },
      (view) => view.questions.length > 0,
      ({ json }, view) => removeMember(json, lastQuestion(view)),
    ),
  ],
  "migration/answers-agree": [
    everyRead(
      { name: "shows another answer", needs: readThroughBoth, effect: "sent another answer" },
      hasAnswer,
      ({ json }, view) =>
        replaceValue(
          json,
          `${view.questions.find(({ facts }) => facts.has("answer"))?.pointer ?? "/none"}/answer`,
          "Another answer.",
        ),
    ),
  ],
  "migration/state-follows-status": [
    everyRead(
      { name: "shows a completed conversation as failed", needs: readThroughBoth, effect: "sent the state `canceled`" },
      isCompleted,
      ({ json }, view) => replaceValue(json, stateOf(view), { canceled: {} }),
    ),
  ],
  "migration/error-becomes-state": [
    everyRead(
      {
        name: "shows a failed conversation as completed",
        needs: "a conversation that ends with an error and is read through both interfaces",
        effect: "sent the state `completed` of a failed conversation",
      },
      isFailed,
      ({ json }, view) => replaceValue(json, stateOf(view), { completed: {} }),
    ),
    {
      ...everyRead(
        {
          name: "shows another error than the legacy interface",
          needs: "a conversation that exceeds the token limit or fails, and is read through both interfaces",
          effect: "sent the code of another error",
        },
        isFailed,
        ({ json }, view) => {
          const other = otherCodes.get(findErrorCode(view) ?? "");
          return other === undefined ? undefined : replaceValue(json, `${stateOf(view)}/error/code`, other);
        },
      ),
      isOptional: true,
    },
  ],
} satisfies MutationsByRule;
