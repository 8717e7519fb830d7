import { requestMember } from "../engine/asked-current.ts";
import { mayHaveHappened } from "../engine/conversation-call.ts";
import type { ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { livedThrough, ownConversations } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isSettledDuring } from "../engine/progress.ts";
import { isMissing } from "../engine/refusal.ts";
import { mayDoEverything, userOf } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { isFiltered, knownIds, listCalls, listPages, pageParameters, pageSize } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { formatValue } from "../../engine/format-value.ts";

/** Pages that were asked for one after the other, each with the cursor of the one before. */
export interface Walk {
  readonly pages: readonly [ListPage, ...ListPage[]];
  /** Whether the last page names no further one. */
  readonly isComplete: boolean;
  /** The page that names a cursor which led to an earlier page of the walk. */
  readonly circle: ListPage | undefined;
}

const cursorOf = ({ call }: ListPage): string | undefined =>
  call.asked.parameters.get(pageParameters[call.interface].cursor);

/** What two pages of one walk have in common: everything that was asked for but the cursor. */
function sameList({ call, user }: ListPage): string {
  const { cursor } = pageParameters[call.interface];
  const names = [...call.asked.parameters.keys()].filter((name) => name !== cursor).toSorted();
  const parameters = names.map((name) => [name, call.asked.parameters.get(name)]);
  return JSON.stringify([user, call.record.credential, parameters]);
}

/** The walks of one interface; a list that nobody followed is a walk of one page. */
export function walksOf(evidence: ConversationEvidence, name: ConversationInterface): readonly Walk[] {
  const next = new Map<string, ListPage[]>();
  const pages = listPages(evidence, name);
  for (const page of pages) {
    const key = JSON.stringify([sameList(page), cursorOf(page)]);
    next.set(key, [...(next.get(key) ?? []), page]);
  }
  return pages.filter((page) => cursorOf(page) === undefined).map((first) => walkFrom(first, next));
}

function walkFrom(first: ListPage, next: ReadonlyMap<string, readonly ListPage[]>): Walk {
  const pages: [ListPage, ...ListPage[]] = [first];
  const used = new Set<string>();
  const list = sameList(first);
  let last = first;
  while (last.view.cursor !== undefined) {
    const { cursor } = last.view;
    if (used.has(cursor)) {
      return { pages, isComplete: false, circle: last.view.entries.length > 0 ? last : undefined };
    }
    used.add(cursor);
    const endedAtMicros = last.call.record.times.endedAtMicros;
    const following = next
      .get(JSON.stringify([list, cursor]))
      ?.find(({ call }) => call.record.times.sentAtMicros >= endedAtMicros);
    if (following === undefined) {
      return { pages, isComplete: false, circle: undefined };
    }
    pages.push(following);
    last = following;
  }
  return { pages, isComplete: true, circle: undefined };
}

/**
 * Walking the pages of a list meets each conversation once, and ends. What changes during a walk may move: it is left out,
 * and as many others as changed may move with it. Source: conversation-api, section 4.1.
 */
export const pagesDoNotOverlap = inBothInterfaces((name) =>
  defineWitnessedRule({
    id: `${name}/pages-do-not-overlap`,
    check(evidence, witness) {
      for (const call of listCalls(evidence, name)) {
        if (call.asked.parameters.has(pageParameters[name].cursor) && isMissing(call)) {
          witness.lacks(call);
        }
      }
      const walks = walksOf(evidence, name);
      for (const walk of walks) {
        const unknown = unknownCursorName(evidence, walks, walk);
        if (unknown !== undefined) {
          witness.needs(
            `the name of the request member for the next page (\`${formatValue(unknown)}\` is not in a served OpenAPI document and leads to the same page)`,
          );
          continue;
        }
        (walk.pages.length > 1 ? judgeWalk : judgePage)(evidence, witness, walk);
      }
      for (const { call } of listPages(evidence, "legacy").filter(
        (page) => name === "legacy" && isCut(evidence, page),
      )) {
        witness.notes(call, "legacy/list-cursor", "a full page came without a cursor that is recognised");
      }
    },
  }),
);

const sameIds = (one: ListPage, other: ListPage): boolean =>
  one.ids.length > 0 && one.ids.join(" ") === other.ids.join(" ");

/** Whether some page of a walk shows other conversations than the one before: its cursor was read. */
const isMoving = ({ pages }: Walk): boolean =>
  pages.some((page, index) => {
    const before = pages[index - 1];
    return before !== undefined && !sameIds(page, before);
  });

/** How the member is called that asks for a page of the current interface. */
const cursorName = ({ call }: ListPage): string | undefined => requestMember(call.asked.json, "cursor");

/**
 * The name under which a walk sent its cursor, where that led to the same page, no document describes it, and no other walk got
 * on by it: how the request members of the current interface are called is unspecified. Source: conversation-api, section 4.2.
 */
function unknownCursorName(evidence: ConversationEvidence, walks: readonly Walk[], walk: Walk): string | undefined {
  const [first, second] = walk.pages;
  const name = first.call.interface === "current" && second !== undefined ? cursorName(second) : undefined;
  if (name === undefined || isMoving(walk)) {
    return undefined;
  }
  const isDescribed = evidence.api?.operation("current", "list")?.requestMembers.includes(name) === true;
  const isRead = walks.some(
    (other) => isMoving(other) && other.pages.slice(1).some((page) => cursorName(page) === name),
  );
  return isDescribed || isRead ? undefined : name;
}

/** Whether there is more than a page shows, but nothing that asks for it. */
const isCut = (evidence: ConversationEvidence, { call, view }: ListPage): boolean =>
  view.cursor === undefined &&
  !call.asked.parameters.has("page_after") &&
  !isFiltered(call) &&
  view.entries.length === pageSize(call) &&
  knownIds(evidence, call).size > view.entries.length;

/** One page shows how pages follow each other to nobody; that it repeats itself is seen all the same. */
function judgePage(evidence: ConversationEvidence, witness: Witness, walk: Walk): void {
  const repeated = repeatedIn(evidence, walk);
  const [again] = repeated;
  if (again !== undefined && repeated.length > changesDuring(evidence, walk)) {
    witness.breaks(again.page.call, `the conversation ${formatValue(again.id)} came twice in one list`);
  }
}

function judgeWalk(evidence: ConversationEvidence, witness: Witness, walk: Walk): void {
  const slack = changesDuring(evidence, walk);
  const repeated = repeatedIn(evidence, walk);
  const missing = missingFrom(evidence, walk);
  const [[again], [absent]] = [repeated, missing];
  if (again !== undefined && repeated.length > slack) {
    witness.breaks(again.page.call, `the conversation ${formatValue(again.id)} came twice in a walk through the pages`);
  } else if (absent !== undefined && missing.length > slack) {
    const message = `no page of a walk to the end has the conversation ${absent.conversation}`;
    witness.breaks(lastPage(walk).call, message);
  } else if (walk.circle !== undefined) {
    witness.breaks(walk.circle.call, "a page names a cursor that led to an earlier page of the walk");
  } else if (again === undefined && absent === undefined) {
    witness.holds(walk.pages[0].call);
  }
}

const lastPage = ({ pages }: Walk): ListPage => pages.at(-1) ?? pages[0];

/** From the first request of a walk to its last answer. */
const spanOfWalk = (walk: Walk): { readonly from: number; readonly to: number } => ({
  from: walk.pages[0].call.record.times.sentAtMicros,
  to: lastPage(walk).call.record.times.endedAtMicros,
});

/** Conversations of the user of a walk; both interfaces list the same ones. */
const ownOfWalk = (evidence: ConversationEvidence, { pages: [{ user }] }: Walk): readonly OwnConversation[] =>
  ownConversations(evidence).filter((own) => own.user === user);

const mayChangeDuring = (own: OwnConversation, walk: Walk): boolean => {
  const { from, to } = spanOfWalk(walk);
  const isGone = own.calls.some(
    ({ operation, answer, record }) =>
      operation === "delete" && answer.kind === "success" && record.times.endedAtMicros <= from,
  );
  return !isGone && own.create.record.times.sentAtMicros < to && !isSettledDuring(own, { from, to });
};

/** How many conversations may have changed, come or gone during a walk, unknown ones of creations without an answer included. */
function changesDuring(evidence: ConversationEvidence, walk: Walk): number {
  const { to } = spanOfWalk(walk);
  const { user } = walk.pages[0];
  const unknown = evidence.calls.filter(
    (call) =>
      call.operation === "create" &&
      call.answer.kind !== "success" &&
      mayHaveHappened(call) &&
      userOf(call.record.credential) === user &&
      call.record.times.sentAtMicros < to,
  );
  return unknown.length + ownOfWalk(evidence, walk).filter((own) => mayChangeDuring(own, walk)).length;
}

/** What came again, each once, without what may have changed. */
function repeatedIn(
  evidence: ConversationEvidence,
  walk: Walk,
): readonly { readonly id: string; readonly page: ListPage }[] {
  const changing = new Set(
    ownOfWalk(evidence, walk)
      .filter((own) => mayChangeDuring(own, walk))
      .map(({ conversation }) => conversation),
  );
  const met = new Set<string>();
  const repeated = new Map<string, ListPage>();
  for (const page of walk.pages) {
    for (const id of page.ids.filter((id) => !changing.has(id))) {
      if (met.has(id) && !repeated.has(id)) {
        repeated.set(id, page);
      }
      met.add(id);
    }
  }
  return [...repeated].map(([id, page]) => ({ id, page }));
}

/** Own conversations that were there and stayed as they are during a complete walk without filters, and are on no page. */
function missingFrom(evidence: ConversationEvidence, walk: Walk): readonly OwnConversation[] {
  const [{ call }] = walk.pages;
  if (!walk.isComplete || isFiltered(call) || !mayDoEverything(call.record.credential)) {
    return [];
  }
  const met = new Set(walk.pages.flatMap(({ ids }) => ids));
  const span = spanOfWalk(walk);
  return ownOfWalk(evidence, walk).filter(
    (own) =>
      own.interface === call.interface &&
      !met.has(own.conversation) &&
      livedThrough(own, span) &&
      isSettledDuring(own, span),
  );
}
