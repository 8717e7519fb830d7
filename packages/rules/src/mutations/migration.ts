import { currentProcedures } from "@assay/contract";
import type { ConversationInterface } from "../conversation/engine/conversation-call.ts";
import { isRecord } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import { removeMember, replaceValue } from "@assay/evidence";
import { editBody, withResponseOf, withStatus } from "./mutation.ts";
import type { Mutation, MutationsByRule, Edit, Site } from "./mutation.ts";
import { findErrorCode } from "../conversation/migration/finished-pairs.ts";
import {
  findSuccessfulCalls,
  conversationsIn,
  conversationSites,
  removeValueMutation,
  findStateHolders,
} from "./conversation-sites.ts";
import type { EditableCall, ProofEvidence } from "./proof-evidence.ts";

const needsReadThroughBoth = "a conversation that is read through both interfaces after its end";

/** Creates a mutation that makes the same edit in every read of one conversation through the current interface. */
const everyReadMutation = (
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  appliesTo: (view: ConversationView) => boolean,
  splice: (site: Site, view: ConversationView) => ReturnType<typeof replaceValue> | undefined,
): Mutation => ({
  ...mutation,
  *edits(evidence) {
    const reads = findSuccessfulCalls(evidence, { interface: "current" }).filter((call) =>
      conversationsIn(call).some(appliesTo),
    );
    const names = new Set(reads.map((call) => conversationsIn(call)[0]?.name));
    for (const name of names) {
      const ownReads = reads.filter((call) => conversationsIn(call)[0]?.name === name);
      const edits = ownReads.flatMap(({ exchange, json, ...call }) =>
        conversationsIn({ exchange, json, ...call }).flatMap((view) => [
          ...editBody(exchange, effect, [splice({ exchange, json, pointer: view.pointer, value: view.json }, view)]),
        ]),
      );
      const [first, ...more] = edits.flatMap(({ replacements }) => replacements);
      if (first !== undefined) {
        yield { effect, replacements: [first, ...more] };
      }
    }
  },
});

const hasAnswer = ({ questions }: ConversationView): boolean => questions.some(({ facts }) => facts.has("answer"));
const isCompleted = ({ state }: ConversationView): boolean => state === "completed";
const isFailed = ({ state }: ConversationView): boolean => state === "error";

/** Replacement codes. Only the token limit has a code in both interfaces. Other limits depend on the user. */
const replacementCodes: ReadonlyMap<string, string> = new Map([
  ["ERROR_TOKEN_LIMIT_EXCEEDED", "ERROR_INTERNAL"],
  ["ERROR_INTERNAL", "ERROR_TOKEN_LIMIT_EXCEEDED"],
]);

/** Returns the pointer to the state of a conversation, which is in the conversation or in its last question. */
const statePointer = (view: ConversationView): string =>
  `${findStateHolders(view).at(isRecord(view.json) && Object.hasOwn(view.json, "state") ? 0 : -1)?.[0] ?? "/none"}/state`;

const lastQuestionPointer = ({ questions }: ConversationView): string => questions.at(-1)?.pointer ?? "/none";

/** Returns the mutations of responses that violate the OpenAPI document. */
const openApiMutations = (interfaceName: ConversationInterface, key: string): readonly Mutation[] => [
  {
    name: "sends a response that the document does not describe",
    needs: "a response with a conversation, or a list",
    *edits(evidence) {
      const effect = "sent text instead of an object";
      for (const operation of ["get", "create", "list", "follow-up", "cancel", "delete"] as const) {
        for (const { exchange, json } of findSuccessfulCalls(evidence, {
          interface: interfaceName,
          operations: [operation],
        })) {
          yield* editBody(exchange, effect, [replaceValue(json, "", "of another type")]);
        }
      }
    },
  },
  {
    ...removeValueMutation(
      `/${key}`,
      {
        name: `leaves \`${key}\` out of a conversation`,
        needs: "a conversation that is read",
        effect: `left \`${key}\` out of a conversation`,
      },
      conversationSites({ interface: interfaceName, operations: ["get", "create"] }),
    ),
    isOptional: true,
  },
];

/** Removes the OpenAPI document of the target, or replaces it by other content. */
function* replaceDocument({ reference }: ProofEvidence, replacement: "missing" | "none"): Iterable<Edit> {
  const [first] = reference.responses;
  const exchange = reference.exchanges.find(({ record }) => record.id === first?.exchange);
  if (first !== undefined && exchange !== undefined) {
    const replacements = [withStatus(exchange, replacement === "missing" ? 404 : 200)] as const;
    const effect =
      replacement === "missing" ? "served nothing at the reference" : "served something else at the reference";
    const newContent =
      replacement === "missing"
        ? ({ kind: "missing", status: 404 } as const)
        : ({ kind: "none", reason: "it is not one" } as const);
    yield { effect, replacements, reference: [{ ...first, content: newContent }] };
  }
}

/** Removes one operation from the OpenAPI document of the target. */
const missingOperationMutation = (operation: keyof typeof currentProcedures): Mutation => ({
  name: `leaves ${currentProcedures[operation]} out of the schema`,
  needs: "an OpenAPI schema that the target serves",
  *edits({ reference }) {
    const { api, exchanges } = reference;
    const [exchange] = exchanges;
    if (api !== undefined && exchange !== undefined) {
      const isRemoved = (name: string, other: string): boolean => name === "current" && other === operation;
      yield {
        effect: `left ${currentProcedures[operation]} out of the schema`,
        replacements: [exchange],
        api: {
          ...api,
          operation: (name, other) => (isRemoved(name, other) ? undefined : api.operation(name, other)),
        },
      };
    }
  },
});

/** Returns a conversation through the interface that did not delete it. */
const keptElsewhereMutation: Mutation = {
  name: "returns a conversation that the other interface deleted",
  needs: "a conversation that is read through both interfaces, and again after one of them deleted it",
  removesObservations: true,
  *edits({ calls }) {
    const deletions = calls.filter(({ call }) => call.operation === "delete" && call.response.kind === "success");
    for (const { call: deletion } of deletions) {
      const { endedAtMicros } = deletion.record.times;
      const reads = calls.filter(
        ({ call: { interface: interfaceName, operation, request } }) =>
          operation === "get" &&
          interfaceName !== deletion.interface &&
          request.conversationId === deletion.request.conversationId,
      );
      const isAfter = ({ call }: EditableCall): boolean => call.record.times.sentAtMicros >= endedAtMicros;
      const readBefore = reads.findLast((read) => !isAfter(read) && read.call.response.kind === "success");
      const [first, ...more] = reads
        .filter((read) => isAfter(read) && read.call.response.kind === "refused")
        .map(({ exchange }) => (readBefore === undefined ? exchange : withResponseOf(exchange, readBefore.exchange)));
      if (readBefore !== undefined && first !== undefined) {
        const effect = "returned a conversation that was deleted through the other interface";
        yield { effect, replacements: [first, ...more] };
      }
    }
  },
};

const describedOperations = ["create", "get", "list", "follow-up", "cancel", "delete"] as const;

/** Mutations for the rules about both interfaces together, and about OpenAPI documents. */
export const migrationMutations = {
  "legacy/responses-fit-openapi": openApiMutations("legacy", "id"),
  "current/responses-fit-openapi": openApiMutations("current", "name"),
  "current/openapi-schema-is-served": [
    {
      name: "serves no schema",
      needs: "a request for the reference of the target",
      edits: (evidence: ProofEvidence) => replaceDocument(evidence, "missing"),
    },
    {
      name: "serves something else as the schema",
      needs: "a request for the reference of the target",
      edits: (evidence: ProofEvidence) => replaceDocument(evidence, "none"),
    },
  ],
  "current/openapi-schema-describes-operations": describedOperations.map((operation) =>
    missingOperationMutation(operation),
  ),
  "migration/questions-agree": [
    everyReadMutation(
      {
        name: "shows another text of a question",
        needs: needsReadThroughBoth,
        effect: "sent another text of a question",
      },
      (view) => view.questions.length > 0,
      ({ json }, view) => replaceValue(json, `${lastQuestionPointer(view)}/input/0/question/text`, "Something else?"),
    ),
    everyReadMutation(
      { name: "shows fewer questions", needs: needsReadThroughBoth, effect: "left a question out" },
      (view) => view.questions.length > 0,
      ({ json }, view) => removeMember(json, lastQuestionPointer(view)),
    ),
  ],
  "migration/deleted-is-gone": [keptElsewhereMutation],
  "migration/answers-agree": [
    everyReadMutation(
      { name: "shows another answer", needs: needsReadThroughBoth, effect: "sent another answer" },
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
    everyReadMutation(
      {
        name: "shows a completed conversation as failed",
        needs: needsReadThroughBoth,
        effect: "sent the state `canceled`",
      },
      isCompleted,
      ({ json }, view) => replaceValue(json, statePointer(view), { canceled: {} }),
    ),
  ],
  "migration/error-becomes-state": [
    everyReadMutation(
      {
        name: "shows a failed conversation as completed",
        needs: "a conversation that ends with an error and is read through both interfaces",
        effect: "sent the state `completed` of a failed conversation",
      },
      isFailed,
      ({ json }, view) => replaceValue(json, statePointer(view), { completed: {} }),
    ),
    {
      ...everyReadMutation(
        {
          name: "shows another error than the legacy interface",
          needs: "a conversation that exceeds the token limit or fails, and is read through both interfaces",
          effect: "sent the code of another error",
        },
        isFailed,
        ({ json }, view) => {
          const code = replacementCodes.get(findErrorCode(view) ?? "");
          return code === undefined ? undefined : replaceValue(json, `${statePointer(view)}/error/code`, code);
        },
      ),
      isOptional: true,
    },
  ],
} satisfies MutationsByRule;
