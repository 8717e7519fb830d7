import { unissuedTokens, replaceSpan } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { ConversationInterface } from "../conversation/engine/conversation-operation.ts";
import { withResponseOf, editBody, editEachAndAll, withFallback, withStatus } from "./mutation.ts";
import type { Mutation, MutationsByRule } from "./mutation.ts";
import { findCalls, isAccepted, isRefused } from "./find-calls.ts";
import type { CallSelection } from "./find-calls.ts";
import { otherUserMutations } from "./other-user-writes.ts";
import type { EditableCall } from "./proof-evidence.ts";

const isSameCall = (left: EditableCall, right: EditableCall): boolean =>
  left.call.operation === right.call.operation &&
  left.call.request.conversationId === right.call.request.conversationId;

/** Gives refused calls the response that the same operation got with a valid token. */
const acceptedRefusalMutation = (
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  selection: CallSelection,
): Mutation => {
  const { effect, ...fields } = mutation;
  return {
    ...fields,
    *edits(evidence) {
      const acceptedCalls = findCalls(evidence, {
        interface: selection.interface,
        credentials: ["access-token"],
      }).filter(isAccepted);
      for (const call of findCalls(evidence, selection).filter(isRefused)) {
        const acceptedCall =
          acceptedCalls.find((candidate) => isSameCall(candidate, call)) ??
          acceptedCalls.find((candidate) => candidate.call.operation === call.call.operation);
        // If the operation was never accepted: a success with the recorded body.
        yield {
          effect,
          replacements: [
            acceptedCall === undefined
              ? withStatus(call.exchange, 200)
              : withResponseOf(call.exchange, acceptedCall.exchange),
          ],
        };
      }
    },
  };
};

/** Gives calls a different status. */
const changedStatusMutation = (
  status: number,
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  selection: CallSelection,
): Mutation => {
  const { effect, ...fields } = mutation;
  return {
    ...fields,
    edits: (evidence) =>
      editEachAndAll(
        effect,
        findCalls(evidence, selection).map(({ exchange }) => withStatus(exchange, status)),
      ),
  };
};

const acceptedCredentialMutations = (
  interfaceName: ConversationInterface,
  credentials: readonly CredentialKind[],
  label: string,
): readonly Mutation[] => [
  acceptedRefusalMutation(
    {
      name: `accepts calls ${label}`,
      needs: `a call ${label}, and the same with a token`,
      effect: `accepted a call ${label}`,
    },
    { interface: interfaceName, credentials },
  ),
];

const wrongStatusMutation = (credentials: readonly CredentialKind[], label: string): Mutation =>
  changedStatusMutation(
    400,
    {
      name: `refuses calls ${label} with another status than 401`,
      needs: `a call ${label}`,
      effect: "refused it with 400",
    },
    { interface: "legacy", credentials, appliesTo: isRefused },
  );

const refusedCallsMutation = (selection: CallSelection, label: string): Mutation =>
  changedStatusMutation(
    403,
    {
      name: `refuses ${label}`,
      needs: `${label} that are accepted`,
      removesObservations: "all",
      effect: `refused ${label}`,
    },
    { ...selection, appliesTo: isAccepted },
  );

const lacksQuestion = ({ call }: EditableCall): boolean =>
  call.record.probe === "import" || /^(?:missing-question|question-no-text|not-json)$/u.test(call.record.probe);

const acceptedBadRequestMutations = (interfaceName: ConversationInterface): readonly Mutation[] => [
  acceptedRefusalMutation(
    {
      name: "accepts a creation without a question",
      needs: "a creation without a question",
      effect: "accepted a creation without a question",
    },
    { interface: interfaceName, credentials: ["access-token"], operations: ["create"], appliesTo: lacksQuestion },
  ),
];

const unknownConversationMutations = (interfaceName: ConversationInterface): readonly Mutation[] => [
  acceptedRefusalMutation(
    {
      name: "returns a conversation that does not exist",
      needs: "a read of a conversation that does not exist",
      effect: "returned another conversation for one that does not exist",
    },
    { interface: interfaceName, credentials: ["access-token"], operations: ["get"] },
  ),
];

/** Gives the list of another user's parent the response that the owner gets. */
const listedForOtherMutation: Mutation = {
  name: "lists the conversations of another user's parent",
  isOptional: true,
  needs: "a list of the first user's parent by a second user (ASSAY_OTHER_TOKEN)",
  *edits(evidence) {
    const selection = { interface: "current", operations: ["list"] } as const;
    const ownLists = findCalls(evidence, { ...selection, credentials: ["access-token"] }).filter(isAccepted);
    for (const { exchange, call } of findCalls(evidence, { ...selection, credentials: ["other-token"] })) {
      const ownList = ownLists.find((list) => list.call.record.times.endedAtMicros <= call.record.times.sentAtMicros);
      if ((call.request.parameters.get("parent") ?? "users/~self") !== "users/~self" && ownList !== undefined) {
        yield {
          effect: "listed the conversations of another user's parent",
          replacements: [withResponseOf(exchange, ownList.exchange)],
        };
      }
    }
  },
};

const createOtherUserMutations = (interfaceName: ConversationInterface) => ({
  hidden: [
    acceptedRefusalMutation(
      {
        name: "returns a conversation to another user",
        needs: "a read by a second user (ASSAY_OTHER_TOKEN)",
        effect: "returned a conversation to a user who did not create it",
      },
      { interface: interfaceName, credentials: ["other-token"], operations: ["get"] },
    ),
    ...(interfaceName === "current" ? [listedForOtherMutation] : []),
  ],
  writes: otherUserMutations(interfaceName),
});

/** Removes the messages from refusals. */
const missingMessageMutation: Mutation = {
  name: "refuses without a message",
  needs: "a call that is refused",
  *edits({ calls }) {
    for (const { exchange, json } of calls.filter((call) => isRefused(call) && call.call.interface === "legacy")) {
      yield* editBody(exchange, "refused a call without a message", [
        replaceSpan({ offset: 0, length: json.bytes.length }, "{}"),
      ]);
    }
  },
};

/** Gives another user's request by a read token the response that the owner gets. */
const sharedDespiteSettingMutation: Mutation = {
  name: "shows an unshared conversation to another user by its read token",
  needs: "a list by the read token, by its owner and by a second user (ASSAY_OTHER_TOKEN)",
  *edits(evidence) {
    const selection = { interface: "legacy", operations: ["get", "list"] } as const;
    const ownCalls = findCalls(evidence, { ...selection, credentials: ["access-token"] }).filter(isAccepted);
    for (const call of findCalls(evidence, { ...selection, credentials: ["other-token"] })) {
      for (const ownCall of ownCalls.filter(
        (candidate) => candidate.call.record.request.url === call.call.record.request.url,
      )) {
        yield {
          effect: "showed a conversation that is not shared",
          replacements: [withResponseOf(call.exchange, ownCall.exchange)],
        };
      }
    }
  },
};

const usesGet = ({ call }: EditableCall): boolean => call.record.request.method === "GET";

/** Returns a server error to late cancellations and, in the current interface, to any refused call. */
const serverErrorMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "answers every forbidden call with a server error",
  needs: "two cancellations of ended questions, or two other refused calls of one kind",
  *edits(evidence) {
    const groups: readonly Omit<CallSelection, "interface">[] = [
      { credentials: ["access-token"], operations: ["cancel"] },
      { credentials: ["other-token"], operations: ["follow-up", "cancel", "delete"] },
      ...(interfaceName === "current"
        ? [
            { credentials: ["none", ...unissuedTokens] as const },
            { credentials: ["unscoped-token"] as const },
            { credentials: ["access-token"] as const, appliesTo: usesGet },
          ]
        : []),
    ];
    for (const group of groups) {
      const [first, ...more] = findCalls(evidence, { ...group, interface: interfaceName })
        .filter(isRefused)
        .map(({ exchange }) => withStatus(exchange, 500));
      if (first !== undefined && more.length > 0) {
        yield { effect: "answered each such call with 500", replacements: [first, ...more] };
      }
    }
  },
});

const withUnissuedToken = "with a token that was never issued";

/** Mutations for the rules about access to conversations. */
export const conversationAccessMutations = {
  "legacy/access-token-is-accepted": [
    refusedCallsMutation({ interface: "legacy", credentials: ["access-token"] }, "calls with an access token"),
  ],
  "legacy/any-access-token-is-accepted": [
    refusedCallsMutation(
      { interface: "legacy", credentials: ["unscoped-token", "read-token", "write-token"] },
      "calls with an access token that has few scopes",
    ),
  ],
  "legacy/missing-token-is-refused": [
    ...acceptedCredentialMutations("legacy", ["none"], "without a token"),
    wrongStatusMutation(["none"], "without a token"),
  ],
  "legacy/invalid-token-is-refused": [
    ...acceptedCredentialMutations("legacy", unissuedTokens, withUnissuedToken),
    wrongStatusMutation(unissuedTokens, withUnissuedToken),
  ],
  "legacy/shared-conversation-is-readable": [
    changedStatusMutation(
      404,
      {
        name: "hides a shared conversation from a user with its read token",
        needs: "a list by the read token, by a second user (ASSAY_OTHER_TOKEN)",
        effect: "hid a shared conversation from a user with its read token",
      },
      { interface: "legacy", credentials: ["other-token"], operations: ["get", "list"], appliesTo: isAccepted },
    ),
  ],
  "legacy/unshared-conversation-is-hidden": [sharedDespiteSettingMutation],
  "legacy/other-users-conversation-is-hidden": createOtherUserMutations("legacy").hidden,
  "legacy/other-user-may-not-write": createOtherUserMutations("legacy").writes,
  "legacy/unknown-id-is-not-found": [
    ...unknownConversationMutations("legacy"),
    changedStatusMutation(
      400,
      {
        name: "refuses a conversation that does not exist with another status than 404",
        needs: "a read of a conversation that does not exist",
        effect: "refused it with 400",
      },
      { interface: "legacy", credentials: ["access-token"], operations: ["get"], appliesTo: isRefused },
    ),
    {
      ...acceptedRefusalMutation(
        {
          name: "cancels a question that is not in the conversation",
          needs: "a cancellation of a question of another conversation, or of an unknown one",
          effect: "accepted the cancellation",
        },
        {
          interface: "legacy",
          credentials: ["access-token"],
          operations: ["cancel"],
          appliesTo: ({ call }) => call.record.probe === "unknown-id",
        },
      ),
      isOptional: true,
    },
  ],
  "legacy/bad-request-is-refused": [
    ...acceptedBadRequestMutations("legacy"),
    changedStatusMutation(
      404,
      {
        name: "refuses a creation without a question with another status than 400",
        needs: "a creation without a question",
        effect: "refused a creation without a question with 404",
      },
      { interface: "legacy", credentials: ["access-token"], operations: ["create"], appliesTo: isRefused },
    ),
  ],
  "legacy/refusal-is-no-server-error": [serverErrorMutation("legacy")],
  "legacy/refusal-has-a-message": [missingMessageMutation],
  "current/access-token-is-accepted": [
    refusedCallsMutation({ interface: "current", credentials: ["access-token"] }, "calls with an access token"),
  ],
  "current/read-scope-may-read": [
    refusedCallsMutation(
      { interface: "current", credentials: ["read-token"], operations: ["get", "list"] },
      "reads with the scope for reading",
    ),
  ],
  "current/write-scope-may-write": [
    refusedCallsMutation({ interface: "current", credentials: ["write-token"] }, "writes with the scope for writing"),
  ],
  "current/read-scope-may-not-write": acceptedCredentialMutations(
    "current",
    ["read-token"],
    "that write with the scope for reading",
  ),
  "current/scope-is-required": acceptedCredentialMutations(
    "current",
    ["unscoped-token"],
    "with a token that lacks the scope",
  ),
  "current/missing-token-is-refused": acceptedCredentialMutations("current", ["none"], "without a token"),
  "current/invalid-token-is-refused": acceptedCredentialMutations("current", unissuedTokens, withUnissuedToken),
  "current/needs-no-x-requested-with": [
    withFallback(
      changedStatusMutation(
        403,
        {
          name: "refuses calls without `X-Requested-With`",
          needs: "calls without `X-Requested-With` that are accepted",
          removesObservations: "all",
          effect: "refused a list without `X-Requested-With`",
        },
        { interface: "current", credentials: ["access-token"], operations: ["list"], appliesTo: isAccepted },
      ),
      {
        *edits(evidence) {
          const calls = findCalls(evidence, {
            interface: "current",
            credentials: ["access-token", "other-token"],
            appliesTo: isAccepted,
          });
          const [first, ...more] = calls
            .filter(({ call }) => !call.request.hasClientHeader)
            .map(({ exchange }) => withStatus(exchange, 403));
          if (first !== undefined) {
            yield { effect: "refused each call without `X-Requested-With`", replacements: [first, ...more] };
          }
        },
      },
    ),
  ],
  "current/other-users-conversation-is-hidden": createOtherUserMutations("current").hidden,
  "current/other-user-may-not-write": createOtherUserMutations("current").writes,
  "current/bad-request-is-refused": acceptedBadRequestMutations("current"),
  "current/unknown-name-is-refused": unknownConversationMutations("current"),
  "current/refusal-is-no-server-error": [serverErrorMutation("current")],
} satisfies MutationsByRule;
