import { unissuedTokens, replaceSpan } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { ConversationInterface } from "../conversation/engine/conversation-operation.ts";
import { withResponseOf, bodyEdit, eachAndAll, orElse, withStatus } from "./mutation.ts";
import type { Mutation, MutationsByRule } from "./mutation.ts";
import { callsBy, isAccepted, isRefused } from "./calls-by.ts";
import type { Calls } from "./calls-by.ts";
import { otherUserWrites } from "./other-user-writes.ts";
import type { CallText } from "./proof-evidence.ts";

const isSame = (left: CallText, right: CallText): boolean =>
  left.call.operation === right.call.operation &&
  left.call.request.conversationId === right.call.request.conversationId;

/** Gives refused calls the response that the same operation got with a valid token. */
const acceptsRefused = (mutation: Omit<Mutation, "edits"> & { readonly effect: string }, of: Calls): Mutation => {
  const { effect, ...rest } = mutation;
  return {
    ...rest,
    *edits(evidence) {
      const accepted = callsBy(evidence, { interface: of.interface, credentials: ["access-token"] }).filter(isAccepted);
      for (const call of callsBy(evidence, of).filter(isRefused)) {
        const other =
          accepted.find((candidate) => isSame(candidate, call)) ??
          accepted.find((candidate) => candidate.call.operation === call.call.operation);
        // If the operation was never accepted: a success with the recorded body.
        yield {
          effect,
          instead: [
            other === undefined ? withStatus(call.exchange, 200) : withResponseOf(call.exchange, other.exchange),
          ],
        };
      }
    },
  };
};

/** Gives calls a different status. */
const changesStatus = (
  status: number,
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  of: Calls,
): Mutation => {
  const { effect, ...rest } = mutation;
  return {
    ...rest,
    edits: (evidence) =>
      eachAndAll(
        effect,
        callsBy(evidence, of).map(({ exchange }) => withStatus(exchange, status)),
      ),
  };
};

const badCredential = (
  name: ConversationInterface,
  credentials: readonly CredentialKind[],
  label: string,
): readonly Mutation[] => [
  acceptsRefused(
    {
      name: `accepts calls ${label}`,
      needs: `a call ${label}, and the same with a token`,
      effect: `accepted a call ${label}`,
    },
    { interface: name, credentials },
  ),
];

const not401 = (credentials: readonly CredentialKind[], label: string): Mutation =>
  changesStatus(
    400,
    {
      name: `refuses calls ${label} with another status than 401`,
      needs: `a call ${label}`,
      effect: "refused it with 400",
    },
    { interface: "legacy", credentials, isAbout: isRefused },
  );

const acceptedRefused = (of: Calls, label: string): Mutation =>
  changesStatus(
    403,
    {
      name: `refuses ${label}`,
      needs: `${label} that are accepted`,
      removesObservations: "all",
      effect: `refused ${label}`,
    },
    { ...of, isAbout: isAccepted },
  );

const hasNoQuestion = ({ call }: CallText): boolean =>
  call.record.probe === "import" || /^(?:missing-question|question-no-text|not-json)$/u.test(call.record.probe);

const badRequest = (name: ConversationInterface): readonly Mutation[] => [
  acceptsRefused(
    {
      name: "accepts a creation without a question",
      needs: "a creation without a question",
      effect: "accepted a creation without a question",
    },
    { interface: name, credentials: ["access-token"], operations: ["create"], isAbout: hasNoQuestion },
  ),
];

const unknown = (name: ConversationInterface): readonly Mutation[] => [
  acceptsRefused(
    {
      name: "returns a conversation that does not exist",
      needs: "a read of a conversation that does not exist",
      effect: "returned another conversation for one that does not exist",
    },
    { interface: name, credentials: ["access-token"], operations: ["get"] },
  ),
];

const otherUser = (name: ConversationInterface) => ({
  hidden: [
    acceptsRefused(
      {
        name: "returns a conversation to another user",
        needs: "a read by a second user (ASSAY_OTHER_TOKEN)",
        effect: "returned a conversation to a user who did not create it",
      },
      { interface: name, credentials: ["other-token"], operations: ["get"] },
    ),
  ],
  writes: otherUserWrites(name),
});

/** Removes the messages from refusals. */
const withoutMessage: Mutation = {
  name: "refuses without a message",
  needs: "a call that is refused",
  *edits({ calls }) {
    for (const { exchange, json } of calls.filter((call) => isRefused(call) && call.call.interface === "legacy")) {
      yield* bodyEdit(exchange, "refused a call without a message", [
        replaceSpan({ offset: 0, length: json.bytes.length }, "{}"),
      ]);
    }
  },
};

/** Gives another user's request by a read token the response that the owner gets. */
const sharedDespiteSetting: Mutation = {
  name: "shows an unshared conversation to another user by its read token",
  needs: "a list by the read token, by its owner and by a second user (ASSAY_OTHER_TOKEN)",
  *edits(evidence) {
    const of = { interface: "legacy", operations: ["get", "list"] } as const;
    const ownCalls = callsBy(evidence, { ...of, credentials: ["access-token"] }).filter(isAccepted);
    for (const call of callsBy(evidence, { ...of, credentials: ["other-token"] })) {
      for (const other of ownCalls.filter(
        (candidate) => candidate.call.record.request.url === call.call.record.request.url,
      )) {
        yield {
          effect: "showed a conversation that is not shared",
          instead: [withResponseOf(call.exchange, other.exchange)],
        };
      }
    }
  },
};

/** Returns a server error to late cancellations and, in the current interface, to any refused call. */
const serverErrors = (name: ConversationInterface): Mutation => ({
  name: "answers every forbidden call with a server error",
  needs: "two cancellations of ended questions, or two other refused calls of one kind",
  *edits(evidence) {
    const groups: readonly Omit<Calls, "interface">[] = [
      { credentials: ["access-token"], operations: ["cancel"] },
      { credentials: ["other-token"], operations: ["follow-up", "cancel", "delete"] },
      ...(name === "current"
        ? [{ credentials: ["none", ...unissuedTokens] as const }, { credentials: ["unscoped-token"] as const }]
        : []),
    ];
    for (const group of groups) {
      const [first, ...more] = callsBy(evidence, { ...group, interface: name, isAbout: isRefused }).map(
        ({ exchange }) => withStatus(exchange, 500),
      );
      if (first !== undefined && more.length > 0) {
        yield { effect: "answered each such call with 500", instead: [first, ...more] };
      }
    }
  },
});

const never = "with a token that was never issued";

/** Mutations for the rules about access to conversations. */
export const conversationAccess = {
  "legacy/access-token-is-accepted": [
    acceptedRefused({ interface: "legacy", credentials: ["access-token"] }, "calls with an access token"),
  ],
  "legacy/any-access-token-is-accepted": [
    acceptedRefused(
      { interface: "legacy", credentials: ["unscoped-token", "read-token", "write-token"] },
      "calls with an access token that has few scopes",
    ),
  ],
  "legacy/missing-token-is-refused": [
    ...badCredential("legacy", ["none"], "without a token"),
    not401(["none"], "without a token"),
  ],
  "legacy/invalid-token-is-refused": [...badCredential("legacy", unissuedTokens, never), not401(unissuedTokens, never)],
  "legacy/shared-conversation-is-readable": [
    changesStatus(
      404,
      {
        name: "hides a shared conversation from a user with its read token",
        needs: "a list by the read token, by a second user (ASSAY_OTHER_TOKEN)",
        effect: "hid a shared conversation from a user with its read token",
      },
      { interface: "legacy", credentials: ["other-token"], operations: ["get", "list"], isAbout: isAccepted },
    ),
  ],
  "legacy/unshared-conversation-is-hidden": [sharedDespiteSetting],
  "legacy/other-users-conversation-is-hidden": otherUser("legacy").hidden,
  "legacy/other-user-may-not-write": otherUser("legacy").writes,
  "legacy/unknown-id-is-not-found": [
    ...unknown("legacy"),
    changesStatus(
      400,
      {
        name: "refuses a conversation that does not exist with another status than 404",
        needs: "a read of a conversation that does not exist",
        effect: "refused it with 400",
      },
      { interface: "legacy", credentials: ["access-token"], operations: ["get"], isAbout: isRefused },
    ),
    {
      ...acceptsRefused(
        {
          name: "cancels a question that is not in the conversation",
          needs: "a cancellation of a question of another conversation, or of an unknown one",
          effect: "accepted the cancellation",
        },
        {
          interface: "legacy",
          credentials: ["access-token"],
          operations: ["cancel"],
          isAbout: ({ call }) => call.record.probe === "unknown-id",
        },
      ),
      isOptional: true,
    },
  ],
  "legacy/bad-request-is-refused": [
    ...badRequest("legacy"),
    changesStatus(
      404,
      {
        name: "refuses a creation without a question with another status than 400",
        needs: "a creation without a question",
        effect: "refused a creation without a question with 404",
      },
      { interface: "legacy", credentials: ["access-token"], operations: ["create"], isAbout: isRefused },
    ),
  ],
  "legacy/refusal-is-no-server-error": [serverErrors("legacy")],
  "legacy/refusal-has-a-message": [withoutMessage],
  "current/access-token-is-accepted": [
    acceptedRefused({ interface: "current", credentials: ["access-token"] }, "calls with an access token"),
  ],
  "current/read-scope-may-read": [
    acceptedRefused(
      { interface: "current", credentials: ["read-token"], operations: ["get", "list"] },
      "reads with the scope for reading",
    ),
  ],
  "current/write-scope-may-write": [
    acceptedRefused({ interface: "current", credentials: ["write-token"] }, "writes with the scope for writing"),
  ],
  "current/read-scope-may-not-write": badCredential("current", ["read-token"], "that write with the scope for reading"),
  "current/scope-is-required": badCredential("current", ["unscoped-token"], "with a token that lacks the scope"),
  "current/missing-token-is-refused": badCredential("current", ["none"], "without a token"),
  "current/invalid-token-is-refused": badCredential("current", unissuedTokens, never),
  "current/needs-no-x-requested-with": [
    orElse(
      changesStatus(
        403,
        {
          name: "refuses calls without `X-Requested-With`",
          needs: "calls without `X-Requested-With` that are accepted",
          removesObservations: "all",
          effect: "refused a list without `X-Requested-With`",
        },
        { interface: "current", credentials: ["access-token"], operations: ["list"], isAbout: isAccepted },
      ),
      {
        *edits(evidence) {
          const calls = callsBy(evidence, {
            interface: "current",
            credentials: ["access-token", "other-token"],
            isAbout: isAccepted,
          });
          const [first, ...more] = calls
            .filter(({ call }) => !call.request.hasClientHeader)
            .map(({ exchange }) => withStatus(exchange, 403));
          if (first !== undefined) {
            yield { effect: "refused each call without `X-Requested-With`", instead: [first, ...more] };
          }
        },
      },
    ),
  ],
  "current/other-users-conversation-is-hidden": otherUser("current").hidden,
  "current/other-user-may-not-write": otherUser("current").writes,
  "current/bad-request-is-refused": badRequest("current"),
  "current/unknown-name-is-refused": unknown("current"),
  "current/refusal-is-no-server-error": [serverErrors("current")],
} satisfies MutationsByRule;
