import { unissuedTokens, replacing } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import { answeredAs, bodyEdit, eachAndAll, orElse, withStatus } from "./mutation.ts";
import type { Mutation, Counterexamples } from "./mutation.ts";
import { callsBy, isAccepted, isRefused } from "./calls-by.ts";
import type { Calls, Name } from "./calls-by.ts";
import { otherUserWrites } from "./other-user-writes.ts";
import type { CallText } from "./proof-evidence.ts";

const isSame = (one: CallText, other: CallText): boolean =>
  one.call.operation === other.call.operation && one.call.asked.conversation === other.call.asked.conversation;

/** Calls that were refused get the answer that the same operation got with a good token. */
const answersThem = (mutation: Omit<Mutation, "edits"> & { readonly what: string }, of: Calls): Mutation => {
  const { what, ...rest } = mutation;
  return {
    ...rest,
    *edits(evidence) {
      const accepted = callsBy(evidence, { interface: of.interface, credentials: ["access-token"] }).filter(isAccepted);
      for (const call of callsBy(evidence, of).filter(isRefused)) {
        const other =
          accepted.find((each) => isSame(each, call)) ??
          accepted.find((each) => each.call.operation === call.call.operation);
        // Where none was accepted, success with whatever words came.
        yield {
          what,
          instead: [other === undefined ? withStatus(call.exchange, 200) : answeredAs(call.exchange, other.exchange)],
        };
      }
    },
  };
};

/** Calls that were accepted, or that were refused in the right way, get another status. */
const statusThem = (
  status: number,
  mutation: Omit<Mutation, "edits"> & { readonly what: string },
  of: Calls,
): Mutation => {
  const { what, ...rest } = mutation;
  return {
    ...rest,
    edits: (evidence) =>
      eachAndAll(
        what,
        callsBy(evidence, of).map(({ exchange }) => withStatus(exchange, status)),
      ),
  };
};

const badCredential = (name: Name, credentials: readonly CredentialKind[], how: string): readonly Mutation[] => [
  answersThem(
    {
      name: `answers calls ${how}`,
      needs: `a call ${how}, and one like it with a token`,
      what: `answered a call ${how}`,
    },
    { interface: name, credentials },
  ),
];

const not401 = (credentials: readonly CredentialKind[], how: string): Mutation =>
  statusThem(
    400,
    { name: `refuses calls ${how} with another status than 401`, needs: `a call ${how}`, what: "refused it with 400" },
    { interface: "legacy", credentials, isAbout: isRefused },
  );

const acceptedRefused = (of: Calls, how: string): Mutation =>
  statusThem(
    403,
    { name: `refuses ${how}`, needs: `${how} that are answered`, takesWitness: "all", what: `refused ${how}` },
    { ...of, isAbout: isAccepted },
  );

const hasNoQuestion = ({ call }: CallText): boolean =>
  call.record.probe === "import" || /^(?:missing-question|question-no-text|not-json)$/u.test(call.record.probe);

const badRequest = (name: Name): readonly Mutation[] => [
  answersThem(
    {
      name: "accepts a creation without a question",
      needs: "a creation without a question",
      what: "accepted a creation without a question",
    },
    { interface: name, credentials: ["access-token"], operations: ["create"], isAbout: hasNoQuestion },
  ),
];

const unknown = (name: Name): readonly Mutation[] => [
  answersThem(
    {
      name: "delivers something for a conversation that does not exist",
      needs: "a read of a conversation that does not exist",
      what: "delivered another conversation for one that does not exist",
    },
    { interface: name, credentials: ["access-token"], operations: ["get"] },
  ),
];

const otherUser = (name: Name) => ({
  hidden: [
    answersThem(
      {
        name: "delivers a conversation to another user",
        needs: "a read by a second user (ASSAY_OTHER_TOKEN)",
        what: "delivered a conversation to a user who did not create it",
      },
      { interface: name, credentials: ["other-token"], operations: ["get"] },
    ),
  ],
  writes: otherUserWrites(name),
});

/** Refusals without a word. */
const withoutWords: Mutation = {
  name: "refuses without a word",
  needs: "a call that is refused",
  *edits({ calls }) {
    for (const { exchange, json } of calls.filter((call) => isRefused(call) && call.call.interface === "legacy")) {
      yield* bodyEdit(exchange, "refused a call without a word", [
        replacing({ offset: 0, length: json.bytes.length }, "{}"),
      ]);
    }
  },
};

/** What another user asks for by a read token gets the answer that its owner gets. */
const sharedAnyway: Mutation = {
  name: "shows a conversation to who has its read token",
  needs: "a list by the read token, by its owner and by a second user (ASSAY_OTHER_TOKEN)",
  *edits(evidence) {
    const of = { interface: "legacy", operations: ["get", "list"] } as const;
    const own = callsBy(evidence, { ...of, credentials: ["access-token"] }).filter(isAccepted);
    for (const call of callsBy(evidence, { ...of, credentials: ["other-token"] })) {
      for (const other of own.filter((each) => each.call.record.request.url === call.call.record.request.url)) {
        yield {
          what: "showed a conversation that is not shared",
          instead: [answeredAs(call.exchange, other.exchange)],
        };
      }
    }
  },
};

/** Late cancellations, and of the current interface any refusal, get the status of a server error. */
const serverErrors = (name: Name): Mutation => ({
  name: "answers a caller's mistake with a server error each time",
  needs: "two cancellations of what had ended, or two other calls of one sort that are refused",
  *edits(evidence) {
    const sorts: readonly Omit<Calls, "interface">[] = [
      { credentials: ["access-token"], operations: ["cancel"] },
      { credentials: ["other-token"], operations: ["follow-up", "cancel", "delete"] },
      ...(name === "current"
        ? [{ credentials: ["none", ...unissuedTokens] as const }, { credentials: ["unscoped-token"] as const }]
        : []),
    ];
    for (const sort of sorts) {
      const [first, ...more] = callsBy(evidence, { ...sort, interface: name, isAbout: isRefused }).map(({ exchange }) =>
        withStatus(exchange, 500),
      );
      if (first !== undefined && more.length > 0) {
        yield { what: "answered each such call with 500", instead: [first, ...more] };
      }
    }
  },
});

const never = "with a token that was never issued";

/** Counterexamples of the rules about who may do what in conversations. */
export const conversationAccess = {
  "legacy/access-token-is-accepted": [
    acceptedRefused({ interface: "legacy", credentials: ["access-token"] }, "calls with an access token"),
  ],
  "legacy/any-access-token-is-accepted": [
    acceptedRefused(
      { interface: "legacy", credentials: ["unscoped-token", "read-token", "write-token"] },
      "calls with an access token of few scopes",
    ),
  ],
  "legacy/missing-token-is-refused": [
    ...badCredential("legacy", ["none"], "without a token"),
    not401(["none"], "without a token"),
  ],
  "legacy/invalid-token-is-refused": [...badCredential("legacy", unissuedTokens, never), not401(unissuedTokens, never)],
  "legacy/shared-conversation-is-readable": [
    statusThem(
      404,
      {
        name: "hides a conversation from who has its read token",
        needs: "a list by the read token, by a second user (ASSAY_OTHER_TOKEN)",
        what: "hid a shared conversation from a user with its read token",
      },
      { interface: "legacy", credentials: ["other-token"], operations: ["get", "list"], isAbout: isAccepted },
    ),
  ],
  "legacy/unshared-conversation-is-hidden": [sharedAnyway],
  "legacy/other-users-conversation-is-hidden": otherUser("legacy").hidden,
  "legacy/other-user-may-not-write": otherUser("legacy").writes,
  "legacy/unknown-id-is-not-found": [
    ...unknown("legacy"),
    statusThem(
      400,
      {
        name: "refuses a conversation that does not exist with another status than 404",
        needs: "a read of a conversation that does not exist",
        what: "refused it with 400",
      },
      { interface: "legacy", credentials: ["access-token"], operations: ["get"], isAbout: isRefused },
    ),
    {
      ...answersThem(
        {
          name: "cancels a question that the conversation does not have",
          needs: "the cancellation of a question that is of another conversation, or of none",
          what: "answered it as the cancellation of a question that was there",
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
    statusThem(
      404,
      {
        name: "refuses a creation without a question with another status than 400",
        needs: "a creation without a question",
        what: "refused a creation without a question with 404",
      },
      { interface: "legacy", credentials: ["access-token"], operations: ["create"], isAbout: isRefused },
    ),
  ],
  "legacy/refusal-is-no-server-error": [serverErrors("legacy")],
  "legacy/refusal-has-a-message": [withoutWords],
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
      statusThem(
        403,
        {
          name: "refuses calls without `X-Requested-With`",
          needs: "calls without `X-Requested-With` that are answered",
          takesWitness: "all",
          what: "refused a list without `X-Requested-With`",
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
            .filter(({ call }) => !call.asked.hasClientHeader)
            .map(({ exchange }) => withStatus(exchange, 403));
          if (first !== undefined) {
            yield { what: "refused each call without `X-Requested-With`", instead: [first, ...more] };
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
} satisfies Counterexamples;
