import { findRequestMember } from "../engine/parse-current-request.ts";
import { mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { existedDuring, findCreatedConversations } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import type { TimeSpan } from "../engine/time-span.ts";
import { isUnchangedDuring } from "../engine/progress.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasFullAccess, userOf } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import {
  isFiltered,
  findKnownIds,
  findListCalls,
  findListPages,
  pageParameters,
  requestedPageSize,
} from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { formatValue } from "../../engine/format-value.ts";

/** Consecutive pages, each requested with the cursor of the previous page. */
export interface Walk {
  readonly pages: readonly [ListPage, ...ListPage[]];
  /** Whether the last page has no cursor. */
  readonly isComplete: boolean;
  /** The page whose cursor led back to an earlier page of the walk. */
  readonly loop: ListPage | undefined;
}

const requestedCursor = ({ call }: ListPage): string | undefined =>
  call.request.parameters.get(pageParameters[call.interface].cursor);

/** Returns the key shared by the pages of one walk: all request parameters except the cursor. */
function walkKey({ call, user }: ListPage): string {
  const { cursor } = pageParameters[call.interface];
  const names = [...call.request.parameters.keys()].filter((name) => name !== cursor).toSorted();
  const parameters = names.map((name) => [name, call.request.parameters.get(name)]);
  return JSON.stringify([user, call.record.credential, parameters]);
}

/** Returns the walks of one interface. A list without further pages is a walk of one page. */
export function collectWalks(evidence: ConversationEvidence, interfaceName: ConversationInterface): readonly Walk[] {
  const pagesByCursor = new Map<string, ListPage[]>();
  const pages = findListPages(evidence, interfaceName);
  for (const page of pages) {
    const key = JSON.stringify([walkKey(page), requestedCursor(page)]);
    pagesByCursor.set(key, [...(pagesByCursor.get(key) ?? []), page]);
  }
  return pages.filter((page) => requestedCursor(page) === undefined).map((first) => walkFrom(first, pagesByCursor));
}

function walkFrom(first: ListPage, pagesByCursor: ReadonlyMap<string, readonly ListPage[]>): Walk {
  const pages: [ListPage, ...ListPage[]] = [first];
  const usedCursors = new Set<string>();
  const key = walkKey(first);
  let last = first;
  while (last.view.cursor !== undefined) {
    const { cursor } = last.view;
    if (usedCursors.has(cursor)) {
      return { pages, isComplete: false, loop: last.view.entries.length > 0 ? last : undefined };
    }
    usedCursors.add(cursor);
    const endedAtMicros = last.call.record.times.endedAtMicros;
    const nextPage = pagesByCursor
      .get(JSON.stringify([key, cursor]))
      ?.find(({ call }) => call.record.times.sentAtMicros >= endedAtMicros);
    if (nextPage === undefined) {
      return { pages, isComplete: false, loop: undefined };
    }
    pages.push(nextPage);
    last = nextPage;
  }
  return { pages, isComplete: true, loop: undefined };
}

/**
 * A walk through all pages returns each conversation once, and ends. Conversations that change during the walk may move
 * between pages. They are ignored, and so is an equal number of others, which may have moved with them. Source:
 * conversation-api, section 4.1.
 */
export const pagesDoNotOverlap = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/pages-do-not-overlap`,
    check(evidence, reporter) {
      for (const call of findListCalls(evidence, interfaceName)) {
        if (call.request.parameters.has(pageParameters[interfaceName].cursor) && isResponseMissing(call)) {
          reporter.lacksResponse(call);
        }
      }
      const walks = collectWalks(evidence, interfaceName);
      for (const walk of walks) {
        const unknownName = findUnknownCursorName(evidence, walks, walk);
        if (unknownName !== undefined) {
          reporter.needs(
            `the name of the request member for the next page (\`${formatValue(unknownName)}\` is not in a served OpenAPI document and leads to the same page)`,
          );
          continue;
        }
        (walk.pages.length > 1 ? judgeWalk : judgePage)(evidence, reporter, walk);
      }
      for (const { call } of findListPages(evidence, "legacy").filter(
        (page) => interfaceName === "legacy" && lacksCursor(evidence, page),
      )) {
        reporter.notes(call, "legacy/list-cursor", "a full page has no recognized cursor");
      }
    },
  }),
);

const hasSameIds = (left: ListPage, right: ListPage): boolean =>
  left.ids.length > 0 && left.ids.join(" ") === right.ids.join(" ");

/** Reports whether a page of the walk differs from the previous one, which shows that the service read the cursor. */
const hasAdvanced = ({ pages }: Walk): boolean =>
  pages.some((page, index) => {
    const previous = pages[index - 1];
    return previous !== undefined && !hasSameIds(page, previous);
  });

/** Returns the name of the request member that contains the cursor in the current interface. */
const findCursorName = ({ call }: ListPage): string | undefined => findRequestMember(call.request.json, "cursor");

/**
 * Returns the name of the cursor member of a walk that remained on the same page, if no document describes it and no
 * other walk advanced with it. Names of request members of the current interface are unspecified. Source:
 * conversation-api, section 4.2.
 */
function findUnknownCursorName(evidence: ConversationEvidence, walks: readonly Walk[], walk: Walk): string | undefined {
  const [first, second] = walk.pages;
  const name = first.call.interface === "current" && second !== undefined ? findCursorName(second) : undefined;
  if (name === undefined || hasAdvanced(walk)) {
    return undefined;
  }
  const isDescribed = evidence.api?.operation("current", "list")?.requestMembers.includes(name) === true;
  const isReadByService = walks.some(
    (other) => hasAdvanced(other) && other.pages.slice(1).some((page) => findCursorName(page) === name),
  );
  return isDescribed || isReadByService ? undefined : name;
}

/** Reports whether a list has more conversations than fit on the page, but no cursor. */
const lacksCursor = (evidence: ConversationEvidence, { call, view }: ListPage): boolean =>
  view.cursor === undefined &&
  !call.request.parameters.has("page_after") &&
  !isFiltered(call) &&
  view.entries.length === requestedPageSize(call) &&
  findKnownIds(evidence, call).size > view.entries.length;

/** Judges a single page. It shows nothing about the order of pages, but it can repeat an entry. */
function judgePage(evidence: ConversationEvidence, reporter: CallReporter, walk: Walk): void {
  const repeatedEntries = findRepeatedEntries(evidence, walk);
  const [repeatedEntry] = repeatedEntries;
  if (repeatedEntry !== undefined && repeatedEntries.length > countChangesDuring(evidence, walk)) {
    reporter.fails(
      repeatedEntry.page.call,
      `conversation ${formatValue(repeatedEntry.id)} is listed twice in one list`,
    );
  }
}

function judgeWalk(evidence: ConversationEvidence, reporter: CallReporter, walk: Walk): void {
  const changeCount = countChangesDuring(evidence, walk);
  const repeatedEntries = findRepeatedEntries(evidence, walk);
  const missingConversations = findMissingConversations(evidence, walk);
  const [[repeatedEntry], [missingConversation]] = [repeatedEntries, missingConversations];
  if (repeatedEntry !== undefined && repeatedEntries.length > changeCount) {
    reporter.fails(
      repeatedEntry.page.call,
      `conversation ${formatValue(repeatedEntry.id)} is listed twice on the pages of a list`,
    );
  } else if (missingConversation !== undefined && missingConversations.length > changeCount) {
    const message = `no page of a complete list contains conversation ${missingConversation.id}`;
    reporter.fails(lastPage(walk).call, message);
  } else if (walk.loop !== undefined) {
    reporter.fails(walk.loop.call, "a page has a cursor that led to an earlier page of the same list");
  } else if (repeatedEntry === undefined && missingConversation === undefined) {
    reporter.passes(walk.pages[0].call);
  }
}

const lastPage = ({ pages }: Walk): ListPage => pages.at(-1) ?? pages[0];

/** Returns the time from the first request of a walk to its last response. */
const walkSpan = (walk: Walk): TimeSpan => ({
  fromMicros: walk.pages[0].call.record.times.sentAtMicros,
  toMicros: lastPage(walk).call.record.times.endedAtMicros,
});

/** Returns the conversations of the user of a walk. Both interfaces list the same ones. */
const findConversationsOfUser = (
  evidence: ConversationEvidence,
  { pages: [{ user }] }: Walk,
): readonly CreatedConversation[] =>
  findCreatedConversations(evidence).filter((conversation) => conversation.user === user);

const mayChangeDuring = (conversation: CreatedConversation, walk: Walk): boolean => {
  const { fromMicros, toMicros } = walkSpan(walk);
  const isGone = conversation.calls.some(
    ({ operation, response, record }) =>
      operation === "delete" && response.kind === "success" && record.times.endedAtMicros <= fromMicros,
  );
  return (
    !isGone &&
    conversation.create.record.times.sentAtMicros < toMicros &&
    !isUnchangedDuring(conversation, { fromMicros, toMicros })
  );
};

/**
 * Returns the maximum number of conversations that changed, appeared or vanished during a walk, including creations
 * without a response.
 */
function countChangesDuring(evidence: ConversationEvidence, walk: Walk): number {
  const { toMicros } = walkSpan(walk);
  const { user } = walk.pages[0];
  const unansweredCreations = evidence.calls.filter(
    (call) =>
      call.operation === "create" &&
      call.response.kind !== "success" &&
      mayHaveTakenEffect(call) &&
      userOf(call.record.credential) === user &&
      call.record.times.sentAtMicros < toMicros,
  );
  return (
    unansweredCreations.length +
    findConversationsOfUser(evidence, walk).filter((conversation) => mayChangeDuring(conversation, walk)).length
  );
}

/** Returns the conversations that were listed more than once, each reported once. Skips those that may have changed. */
function findRepeatedEntries(
  evidence: ConversationEvidence,
  walk: Walk,
): readonly { readonly id: string; readonly page: ListPage }[] {
  const changingIds = new Set(
    findConversationsOfUser(evidence, walk)
      .filter((conversation) => mayChangeDuring(conversation, walk))
      .map(({ id }) => id),
  );
  const seenIds = new Set<string>();
  const pagesByRepeatedId = new Map<string, ListPage>();
  for (const page of walk.pages) {
    for (const id of page.ids.filter((candidate) => !changingIds.has(candidate))) {
      if (seenIds.has(id) && !pagesByRepeatedId.has(id)) {
        pagesByRepeatedId.set(id, page);
      }
      seenIds.add(id);
    }
  }
  return [...pagesByRepeatedId].map(([id, page]) => ({ id, page }));
}

/**
 * Returns the conversations of the user that existed without a change during a complete, unfiltered walk, and are on
 * none of its pages.
 */
function findMissingConversations(evidence: ConversationEvidence, walk: Walk): readonly CreatedConversation[] {
  const [{ call }] = walk.pages;
  if (!walk.isComplete || isFiltered(call) || !hasFullAccess(call.record.credential)) {
    return [];
  }
  const listedIds = new Set(walk.pages.flatMap(({ ids }) => ids));
  const span = walkSpan(walk);
  return findConversationsOfUser(evidence, walk).filter(
    (conversation) =>
      conversation.interface === call.interface &&
      !listedIds.has(conversation.id) &&
      existedDuring(conversation, span) &&
      isUnchangedDuring(conversation, span),
  );
}
