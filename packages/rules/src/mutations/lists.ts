import { currentRequestNames, sortOrders } from "@assay/contract";
import { arrayMember } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import { Buffer } from "node:buffer";
import { insertBytes, removeMember, replaceSpan, replaceValue, valueSpan, valueText } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { ConversationInterface } from "../conversation/engine/conversation-operation.ts";
import { withResponseOf, bodyEdit, eachAndAll, editedBody, orElse, withStatus } from "./mutation.ts";
import type { Mutation, MutationsByRule, Edit } from "./mutation.ts";
import { callsOf, conversationsIn } from "./conversation-sites.ts";
import type { CallText, ProofEvidence } from "./proof-evidence.ts";

/** The parameters of a list by name. In the current interface, the members of the body. */
const askedOf = ({ call }: CallText): Readonly<Record<string, string>> => Object.fromEntries(call.request.parameters);

const listsOf = (evidence: ProofEvidence, name: ConversationInterface): readonly CallText[] =>
  callsOf(evidence, { interface: name, operations: ["list"] });

const entriesOf = (list: CallText): readonly string[] => conversationsIn(list).map(({ pointer }) => pointer);

const isBy = (credential: CredentialKind, { call }: CallText): boolean => call.record.credential === credential;

/** Gives a list with a parameter the response of another list of the same user. */
const mistakes = (
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  [name, isAbout, isOther]: readonly [
    name: ConversationInterface,
    isAbout: (asked: Readonly<Record<string, string>>, call: CallText) => boolean,
    isOther: (asked: Readonly<Record<string, string>>, call: CallText, about: CallText) => boolean,
  ],
): Mutation => {
  const { effect, ...rest } = mutation;
  return {
    ...rest,
    *edits(evidence) {
      const lists = listsOf(evidence, name);
      for (const list of lists.filter((each) => isAbout(askedOf(each), each))) {
        for (const other of lists.filter((each) => each !== list && isOther(askedOf(each), each, list))) {
          yield { effect, instead: [withResponseOf(list.exchange, other.exchange)] };
        }
      }
    },
  };
};

const isPlain = (asked: Readonly<Record<string, string>>): boolean => Object.keys(asked).length === 0;

/** Selects lists of the same user without parameters: the response of a target that ignores them. */
const plainList = (asked: Readonly<Record<string, string>>, call: CallText, about: CallText): boolean =>
  isPlain(asked) && isBy(about.call.record.credential, call);

const ignored = (parameter: string, needs: string): Mutation =>
  mistakes(
    {
      name: `ignores \`${parameter}\``,
      needs,
      effect: `responded to a list with \`${parameter}\` as to one without it`,
    },
    ["legacy", (asked) => asked[parameter] !== undefined, plainList],
  );

/** Removes one entry from a list. */
const entryLost = (
  name: ConversationInterface,
  isAbout: (asked: Readonly<Record<string, string>>, call: CallText) => boolean,
): Mutation => ({
  name: "leaves a conversation out of a list",
  needs: "a list with the conversations of the run",
  removesObservations: true,
  *edits(evidence) {
    for (const list of listsOf(evidence, name).filter((each) => isAbout(askedOf(each), each))) {
      for (const pointer of entriesOf(list)) {
        yield* bodyEdit(list.exchange, "left a conversation out of a list", [removeMember(list.json, pointer)]);
      }
    }
  },
});

/** Refuses a list. */
const listRefused = (name: ConversationInterface): Mutation => ({
  name: "refuses a list",
  needs: "a successful list",
  removesObservations: "all",
  edits: (evidence) =>
    eachAndAll(
      "refused a list with 400",
      listsOf(evidence, name).map(({ exchange }) => withStatus(exchange, 400)),
    ),
});

const isNext = (list: CallText): boolean =>
  ["page_after", ...currentRequestNames.cursor].some((key) => (askedOf(list)[key] ?? "") !== "");

const answeredAgain = "sent the previous page as the next page";

/** Repeats the conversations of the previous page. */
const pageAgain = (name: ConversationInterface): Mutation => ({
  name: "repeats the previous page as the next page",
  needs: "a list that is read over two pages",
  *edits(evidence) {
    const lists = listsOf(evidence, name);
    for (const list of lists.filter(isNext)) {
      for (const other of lists
        .filter((each) => each !== list && each.call.record.times.sentAtMicros < list.call.record.times.sentAtMicros)
        .toReversed()) {
        yield { effect: answeredAgain, instead: [withResponseOf(list.exchange, other.exchange)] };
      }
    }
    // If the name of the cursor is unknown, a repeated page may not be a violation. Repeat one conversation instead.
    for (const list of lists.filter(isNext)) {
      const before = lists.findLast(
        (each) => each.call.record.times.sentAtMicros < list.call.record.times.sentAtMicros,
      );
      const [own] = entriesOf(list);
      const again = before === undefined ? undefined : entriesOf(before).at(-1);
      const place = own === undefined ? undefined : valueSpan(list.json, own);
      const text = before === undefined || again === undefined ? undefined : valueText(before.json, again);
      yield* bodyEdit(list.exchange, answeredAgain, [
        place === undefined || text === undefined ? undefined : replaceSpan(place, text),
      ]);
    }
  },
});

/** Removes one conversation from a page after the first. */
const shortPage = (name: ConversationInterface): Mutation => ({
  name: "leaves a conversation out of a page after the first",
  needs: "a list of the conversations of the run that is read over all pages",
  isOptional: true,
  edits: entryLost(name, (_asked, call) => isNext(call)).edits,
});

/** Swaps an entry of a list with an entry of the same or another list. */
function* exchanged(
  [one, first]: readonly [list: CallText, pointer: string | undefined],
  [other, last]: readonly [list: CallText, pointer: string | undefined],
): Iterable<Edit> {
  const effect = "swapped two conversations in a list";
  const [at, to] = [
    first === undefined ? undefined : valueSpan(one.json, first),
    last === undefined ? undefined : valueSpan(other.json, last),
  ];
  if (at === undefined || to === undefined || first === undefined || last === undefined) {
    return;
  }
  const here = replaceSpan(at, valueText(other.json, last) ?? "");
  const there = replaceSpan(to, valueText(one.json, first) ?? "");
  if (one !== other) {
    yield { effect, instead: [editedBody(one.exchange, [here]), editedBody(other.exchange, [there])] };
  } else if (at.offset !== to.offset) {
    yield* bodyEdit(one.exchange, effect, [here, there]);
  }
}

/** Swaps conversations within a list, or between two consecutive pages. */
const swapped = (isAbout: (asked: Readonly<Record<string, string>>) => boolean, needs: string): Mutation => ({
  name: "lists conversations in another order",
  needs,
  *edits(evidence) {
    const about = listsOf(evidence, "legacy").filter((each) => isAbout(askedOf(each)));
    for (const list of about) {
      yield* exchanged([list, entriesOf(list)[0]], [list, entriesOf(list).at(-1)]);
    }
    for (const next of about.filter(isNext)) {
      const before = about[about.indexOf(next) - 1];
      if (before !== undefined) {
        yield* exchanged([before, entriesOf(before).at(-1)], [next, entriesOf(next)[0]]);
      }
    }
  },
});

/** Returns more entries than `page_first` allows by repeating the first one. */
const pageOverfull: Pick<Mutation, "edits"> = {
  *edits(evidence) {
    for (const list of listsOf(evidence, "legacy")) {
      const [first = "/none"] = entriesOf(list);
      const [span, text] = [valueSpan(list.json, first), valueText(list.json, first)];
      const size = Number(askedOf(list)["page_first"]);
      if (span !== undefined && size > 0) {
        yield* bodyEdit(list.exchange, "listed more conversations than `page_first`", [
          insertBytes(span.offset, Buffer.from(`${text},`.repeat(Math.min(size, 100)))),
        ]);
      }
    }
  },
};

const severalListed = "a list of several conversations";

/** Returns all conversations in the lists of starred and of other conversations. */
const starredIgnored: Mutation = {
  name: "ignores `filter_is_starred`",
  needs: "a list of starred and one of other conversations, of a user who has some",
  *edits(evidence) {
    const lists = listsOf(evidence, "legacy");
    const plain = lists.filter((list) => isPlain(askedOf(list)) && entriesOf(list).length > 0);
    const starred = lists.filter((list) => askedOf(list)["filter_is_starred"] !== undefined);
    for (const list of plain) {
      const [first, ...more] = starred.map(({ exchange }) => withResponseOf(exchange, list.exchange));
      if (first !== undefined) {
        yield { effect: "responded to lists by `filter_is_starred` as to one without it", instead: [first, ...more] };
      }
    }
  },
};

/** A copy of a listed conversation with a different id and its first question. */
const copyOf = ({ json, name }: ConversationView, question: string): object =>
  name === undefined
    ? {
        ...Object(json),
        id: 4711,
        questions: arrayMember(json, "questions").map((one) => ({ ...Object(one), conversation_id: 4711 })),
      }
    : {
        ...Object(json),
        name: name.replace(/[^/]*$/u, "4711"),
        questions: [{ input: [{ question: { text: question } }] }],
      };

const isCompleteList = (list: CallText): boolean => Object.keys(askedOf(list)).every((key) => key === "parent");

/** Lists a created conversation twice, under two ids. */
export const createdTwice = (name: ConversationInterface): Mutation => ({
  name: "creates two conversations for one request",
  needs: "a list with a conversation of the run",
  isOptional: true,
  *edits(evidence) {
    const created = callsOf(evidence, { interface: name, operations: ["create"] });
    for (const list of listsOf(evidence, name).filter(isCompleteList)) {
      for (const view of conversationsIn(list)) {
        const creation = created.find((call) => conversationsIn(call)[0]?.id === view.id);
        const span = valueSpan(list.json, view.pointer);
        const duplicate = JSON.stringify(copyOf(view, creation?.call.request.question ?? ""));
        yield* bodyEdit(list.exchange, "listed a created question in a second conversation", [
          creation === undefined || span === undefined
            ? undefined
            : insertBytes(span.offset, Buffer.from(`${duplicate},`)),
        ]);
      }
    }
  },
});

/** Mutations for the rules about lists. */
export const lists = {
  "legacy/list-parameters-are-accepted": [listRefused("legacy")],
  "legacy/list-has-own-conversations": [
    entryLost("legacy", (asked, call) => isPlain(asked) && isBy("access-token", call)),
  ],
  "legacy/list-shows-own-only": [
    mistakes(
      {
        name: "lists the conversations of all users",
        needs: "a list by a second user (ASSAY_OTHER_TOKEN)",
        effect: "sent the list of one user to another one",
      },
      ["legacy", (_, call) => isBy("other-token", call), (asked, call) => isPlain(asked) && isBy("access-token", call)],
    ),
  ],
  "legacy/filter-id-filters": [ignored("filter_id", severalListed)],
  "legacy/filter-user-id-filters": [
    mistakes(
      {
        name: "ignores `filter_user_id`",
        needs: "lists by `filter_user_id` of a user, and of one who has no conversations",
        effect: "responded to a list by `filter_user_id` as to one with other parameters",
      },
      [
        "legacy",
        (asked) => asked["filter_user_id"] !== undefined,
        (_, call, about) => isBy(about.call.record.credential, call),
      ],
    ),
  ],
  "legacy/filter-read-token-filters": [ignored("filter_read_token", severalListed)],
  "legacy/filter-is-starred-filters": [starredIgnored],
  "legacy/page-first-bounds": [
    orElse(ignored("page_first", "a list by `page_first` with a conversation in it"), pageOverfull),
  ],
  "legacy/pages-do-not-overlap": [pageAgain("legacy"), shortPage("legacy")],
  "legacy/sort-is-kept": [
    swapped((asked) => asked["sort"] !== undefined, "a list by `sort` of two conversations"),
    ...sortOrders.map((order) => ({
      ...swapped((asked) => asked["sort"] === order, `a list by \`sort=${order}\` of two conversations`),
      name: `ignores \`sort=${order}\``,
      isOptional: true as const,
    })),
  ],
  "legacy/default-sort-is-newest-update-first": [
    swapped((asked) => asked["sort"] === undefined, "a list without `sort` of two conversations"),
    {
      ...swapped(
        (asked) => asked["sort"] === undefined && asked["page_first"] !== undefined,
        "a list by `page_first`, without `sort`, of two conversations",
      ),
      name: "loses the order with `page_first`",
      isOptional: true as const,
    },
  ],
  "current/list-is-accepted": [listRefused("current"), { ...entryLost("current", () => true), isOptional: true }],
  "current/self-stands-for-the-user": [
    {
      name: "lists the conversations of other users",
      needs: "a list of `users/~self`",
      *edits(evidence) {
        for (const list of listsOf(evidence, "current")) {
          for (const pointer of entriesOf(list)) {
            yield* bodyEdit(list.exchange, "listed a conversation of another user", [
              replaceValue(list.json, `${pointer}/name`, "users/4711/conversations/4711"),
            ]);
          }
        }
      },
    },
  ],
  "current/pages-do-not-overlap": [pageAgain("current"), shortPage("current")],
} satisfies MutationsByRule;
