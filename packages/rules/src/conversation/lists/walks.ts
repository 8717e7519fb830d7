import type { ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { listPages, pageParameters } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";

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
