import { currentRequestNames, sortOrders } from "@assay/contract";
import { arrayMember } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import { Buffer } from "node:buffer";
import { insertBytes, removeMember, replaceSpan, replaceValue, findValueSpan, getValueText } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { ConversationInterface } from "../conversation/engine/conversation-operation.ts";
import { withResponseOf, editBody, editEachAndAll, withEditedBody, withFallback, withStatus } from "./mutation.ts";
import type { Mutation, MutationsByRule, Edit } from "./mutation.ts";
import { findSuccessfulCalls, conversationsIn } from "./conversation-sites.ts";
import type { EditableCall, ProofEvidence } from "./proof-evidence.ts";

/** Returns the parameters of a list by name. In the current interface, the members of the body. */
const readParameters = ({ call }: EditableCall): Readonly<Record<string, string>> =>
  Object.fromEntries(call.request.parameters);

const findLists = (evidence: ProofEvidence, interfaceName: ConversationInterface): readonly EditableCall[] =>
  findSuccessfulCalls(evidence, { interface: interfaceName, operations: ["list"] });

const entryPointers = (list: EditableCall): readonly string[] => conversationsIn(list).map(({ pointer }) => pointer);

const isSentWith = (credential: CredentialKind, { call }: EditableCall): boolean =>
  call.record.credential === credential;

/** Gives a list with a parameter the response to another of the same user's lists. */
const otherListMutation = (
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  [interfaceName, appliesTo, isOther]: readonly [
    interfaceName: ConversationInterface,
    appliesTo: (parameters: Readonly<Record<string, string>>, call: EditableCall) => boolean,
    isOther: (parameters: Readonly<Record<string, string>>, call: EditableCall, reference: EditableCall) => boolean,
  ],
): Mutation => {
  const { effect, ...fields } = mutation;
  return {
    ...fields,
    *edits(evidence) {
      const lists = findLists(evidence, interfaceName);
      for (const list of lists.filter((candidate) => appliesTo(readParameters(candidate), candidate))) {
        for (const other of lists.filter(
          (candidate) => candidate !== list && isOther(readParameters(candidate), candidate, list),
        )) {
          yield { effect, replacements: [withResponseOf(list.exchange, other.exchange)] };
        }
      }
    },
  };
};

const hasNoParameters = (parameters: Readonly<Record<string, string>>): boolean => Object.keys(parameters).length === 0;

/** Selects lists of the same user without parameters. A target that ignores parameters returns their response. */
const isUnfilteredListOfSameUser = (
  parameters: Readonly<Record<string, string>>,
  call: EditableCall,
  reference: EditableCall,
): boolean => hasNoParameters(parameters) && isSentWith(reference.call.record.credential, call);

const ignoredParameterMutation = (parameter: string, needs: string): Mutation =>
  otherListMutation(
    {
      name: `ignores \`${parameter}\``,
      needs,
      effect: `responded to a list with \`${parameter}\` as to one without it`,
    },
    ["legacy", (parameters) => parameters[parameter] !== undefined, isUnfilteredListOfSameUser],
  );

/** Removes one entry from a list. */
const lostEntryMutation = (
  interfaceName: ConversationInterface,
  appliesTo: (parameters: Readonly<Record<string, string>>, call: EditableCall) => boolean,
): Mutation => ({
  name: "leaves a conversation out of a list",
  needs: "a list with the conversations of the run",
  removesObservations: true,
  *edits(evidence) {
    for (const list of findLists(evidence, interfaceName).filter((candidate) =>
      appliesTo(readParameters(candidate), candidate),
    )) {
      for (const pointer of entryPointers(list)) {
        yield* editBody(list.exchange, "left a conversation out of a list", [removeMember(list.json, pointer)]);
      }
    }
  },
});

/** Refuses a list. */
const refusedListMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "refuses a list",
  needs: "a successful list",
  removesObservations: "all",
  edits: (evidence) =>
    editEachAndAll(
      "refused a list with 400",
      findLists(evidence, interfaceName).map(({ exchange }) => withStatus(exchange, 400)),
    ),
});

const isLaterPage = (list: EditableCall): boolean =>
  ["page_after", ...currentRequestNames.cursor].some((key) => (readParameters(list)[key] ?? "") !== "");

const repeatedPage = "sent the previous page as the next page";

/** Repeats the conversations of the previous page. */
const repeatedPageMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "repeats the previous page as the next page",
  needs: "a list that is read over two pages",
  *edits(evidence) {
    const lists = findLists(evidence, interfaceName);
    for (const list of lists.filter(isLaterPage)) {
      for (const other of lists
        .filter(
          (candidate) =>
            candidate !== list && candidate.call.record.times.sentAtMicros < list.call.record.times.sentAtMicros,
        )
        .toReversed()) {
        yield { effect: repeatedPage, replacements: [withResponseOf(list.exchange, other.exchange)] };
      }
    }
    // If the name of the cursor is unknown, a repeated page may not be a violation. Repeat one conversation instead.
    for (const list of lists.filter(isLaterPage)) {
      const before = lists.findLast(
        (candidate) => candidate.call.record.times.sentAtMicros < list.call.record.times.sentAtMicros,
      );
      const [pointer] = entryPointers(list);
      const repeatedPointer = before === undefined ? undefined : entryPointers(before).at(-1);
      const span = pointer === undefined ? undefined : findValueSpan(list.json, pointer);
      const text =
        before === undefined || repeatedPointer === undefined ? undefined : getValueText(before.json, repeatedPointer);
      yield* editBody(list.exchange, repeatedPage, [
        span === undefined || text === undefined ? undefined : replaceSpan(span, text),
      ]);
    }
  },
});

/** Removes one conversation from a page after the first. */
const lostPageEntryMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "leaves a conversation out of a page after the first",
  needs: "a list of the conversations of the run that is read over all pages",
  isOptional: true,
  edits: lostEntryMutation(interfaceName, (_parameters, call) => isLaterPage(call)).edits,
});

/** Yields an edit that swaps two entries of one list, or of two lists. */
function* swapEntries(
  [left, leftPointer]: readonly [list: EditableCall, pointer: string | undefined],
  [right, rightPointer]: readonly [list: EditableCall, pointer: string | undefined],
): Iterable<Edit> {
  const effect = "swapped two conversations in a list";
  const [leftSpan, rightSpan] = [
    leftPointer === undefined ? undefined : findValueSpan(left.json, leftPointer),
    rightPointer === undefined ? undefined : findValueSpan(right.json, rightPointer),
  ];
  if (leftSpan === undefined || rightSpan === undefined || leftPointer === undefined || rightPointer === undefined) {
    return;
  }
  const leftSplice = replaceSpan(leftSpan, getValueText(right.json, rightPointer) ?? "");
  const rightSplice = replaceSpan(rightSpan, getValueText(left.json, leftPointer) ?? "");
  if (left !== right) {
    yield {
      effect,
      replacements: [withEditedBody(left.exchange, [leftSplice]), withEditedBody(right.exchange, [rightSplice])],
    };
  } else if (leftSpan.offset !== rightSpan.offset) {
    yield* editBody(left.exchange, effect, [leftSplice, rightSplice]);
  }
}

/** Swaps conversations within a list, or between two consecutive pages. */
const swappedEntriesMutation = (
  appliesTo: (parameters: Readonly<Record<string, string>>) => boolean,
  needs: string,
): Mutation => ({
  name: "lists conversations in another order",
  needs,
  *edits(evidence) {
    const selectedLists = findLists(evidence, "legacy").filter((candidate) => appliesTo(readParameters(candidate)));
    for (const list of selectedLists) {
      yield* swapEntries([list, entryPointers(list)[0]], [list, entryPointers(list).at(-1)]);
    }
    for (const next of selectedLists.filter(isLaterPage)) {
      const before = selectedLists[selectedLists.indexOf(next) - 1];
      if (before !== undefined) {
        yield* swapEntries([before, entryPointers(before).at(-1)], [next, entryPointers(next)[0]]);
      }
    }
  },
});

/** Returns more entries than `page_first` allows by repeating the first one. */
const overfullPageEdits: Pick<Mutation, "edits"> = {
  *edits(evidence) {
    for (const list of findLists(evidence, "legacy")) {
      const [first = "/none"] = entryPointers(list);
      const [span, text] = [findValueSpan(list.json, first), getValueText(list.json, first)];
      const size = Number(readParameters(list)["page_first"]);
      if (span !== undefined && size > 0) {
        yield* editBody(list.exchange, "listed more conversations than `page_first`", [
          insertBytes(span.offset, Buffer.from(`${text},`.repeat(Math.min(size, 100)))),
        ]);
      }
    }
  },
};

const severalConversations = "a list of several conversations";

/** Returns all conversations in the lists of starred and of other conversations. */
const ignoredStarMutation: Mutation = {
  name: "ignores `filter_is_starred`",
  needs: "a list of starred and one of other conversations, of a user who has some",
  *edits(evidence) {
    const lists = findLists(evidence, "legacy");
    const unfilteredLists = lists.filter(
      (list) => hasNoParameters(readParameters(list)) && entryPointers(list).length > 0,
    );
    const starredLists = lists.filter((list) => readParameters(list)["filter_is_starred"] !== undefined);
    for (const list of unfilteredLists) {
      const [first, ...more] = starredLists.map(({ exchange }) => withResponseOf(exchange, list.exchange));
      if (first !== undefined) {
        yield {
          effect: "responded to lists by `filter_is_starred` as to one without it",
          replacements: [first, ...more],
        };
      }
    }
  },
};

/** Returns a copy of a listed conversation with a different id. In the current interface it has only this question. */
const copyConversation = ({ json, name }: ConversationView, questionText: string): object =>
  name === undefined
    ? {
        ...Object(json),
        id: 4711,
        questions: arrayMember(json, "questions").map((question) => ({ ...Object(question), conversation_id: 4711 })),
      }
    : {
        ...Object(json),
        name: name.replace(/[^/]*$/u, "4711"),
        questions: [{ input: [{ question: { text: questionText } }] }],
      };

const hasOnlyParentParameter = (list: EditableCall): boolean =>
  Object.keys(readParameters(list)).every((key) => key === "parent");

/** Lists a created conversation twice, under two ids. */
export const duplicateCreationMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "creates two conversations for one request",
  needs: "a list with a conversation of the run",
  isOptional: true,
  *edits(evidence) {
    const creations = findSuccessfulCalls(evidence, { interface: interfaceName, operations: ["create"] });
    for (const list of findLists(evidence, interfaceName).filter(hasOnlyParentParameter)) {
      for (const view of conversationsIn(list)) {
        const creation = creations.find((call) => conversationsIn(call)[0]?.id === view.id);
        const span = findValueSpan(list.json, view.pointer);
        const duplicate = JSON.stringify(copyConversation(view, creation?.call.request.question ?? ""));
        yield* editBody(list.exchange, "listed a created question in a second conversation", [
          creation === undefined || span === undefined
            ? undefined
            : insertBytes(span.offset, Buffer.from(`${duplicate},`)),
        ]);
      }
    }
  },
});

/** Mutations for the rules about lists. */
export const listMutations = {
  "legacy/list-parameters-are-accepted": [refusedListMutation("legacy")],
  "legacy/list-has-own-conversations": [
    lostEntryMutation("legacy", (parameters, call) => hasNoParameters(parameters) && isSentWith("access-token", call)),
  ],
  "legacy/list-shows-own-only": [
    otherListMutation(
      {
        name: "lists the conversations of all users",
        needs: "a list by a second user (ASSAY_OTHER_TOKEN)",
        effect: "sent the list of one user to another one",
      },
      [
        "legacy",
        (_, call) => isSentWith("other-token", call),
        (parameters, call) => hasNoParameters(parameters) && isSentWith("access-token", call),
      ],
    ),
  ],
  "legacy/filter-id-filters": [ignoredParameterMutation("filter_id", severalConversations)],
  "legacy/filter-user-id-filters": [
    otherListMutation(
      {
        name: "ignores `filter_user_id`",
        needs: "lists by `filter_user_id` of a user, and of one who has no conversations",
        effect: "responded to a list by `filter_user_id` as to one with other parameters",
      },
      [
        "legacy",
        (parameters) => parameters["filter_user_id"] !== undefined,
        (_, call, reference) => isSentWith(reference.call.record.credential, call),
      ],
    ),
  ],
  "legacy/filter-read-token-filters": [ignoredParameterMutation("filter_read_token", severalConversations)],
  "legacy/filter-is-starred-filters": [ignoredStarMutation],
  "legacy/page-first-bounds": [
    withFallback(
      ignoredParameterMutation("page_first", "a list by `page_first` with a conversation in it"),
      overfullPageEdits,
    ),
  ],
  "legacy/pages-do-not-overlap": [repeatedPageMutation("legacy"), lostPageEntryMutation("legacy")],
  "legacy/sort-is-kept": [
    swappedEntriesMutation((parameters) => parameters["sort"] !== undefined, "a list by `sort` of two conversations"),
    ...sortOrders.map((order) => ({
      ...swappedEntriesMutation(
        (parameters) => parameters["sort"] === order,
        `a list by \`sort=${order}\` of two conversations`,
      ),
      name: `ignores \`sort=${order}\``,
      isOptional: true as const,
    })),
  ],
  "legacy/default-sort-is-newest-update-first": [
    swappedEntriesMutation(
      (parameters) => parameters["sort"] === undefined,
      "a list without `sort` of two conversations",
    ),
    {
      ...swappedEntriesMutation(
        (parameters) => parameters["sort"] === undefined && parameters["page_first"] !== undefined,
        "a list by `page_first`, without `sort`, of two conversations",
      ),
      name: "loses the order with `page_first`",
      isOptional: true as const,
    },
  ],
  "current/list-is-accepted": [
    refusedListMutation("current"),
    { ...lostEntryMutation("current", () => true), isOptional: true },
  ],
  "current/self-stands-for-the-user": [
    {
      name: "lists the conversations of other users",
      needs: "a list of `users/~self`",
      *edits(evidence) {
        for (const list of findLists(evidence, "current")) {
          for (const pointer of entryPointers(list)) {
            yield* editBody(list.exchange, "listed another user's conversation", [
              replaceValue(list.json, `${pointer}/name`, "users/4711/conversations/4711"),
            ]);
          }
        }
      },
    },
  ],
  "current/pages-do-not-overlap": [repeatedPageMutation("current"), lostPageEntryMutation("current")],
} satisfies MutationsByRule;
