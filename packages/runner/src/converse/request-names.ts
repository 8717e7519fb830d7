import { currentCursorNames, currentRequestNames, requestNameOfCursor } from "@assay/contract";
import { isRecord, unwrapped } from "@assay/reading";
import type { CurrentRequestRole } from "@assay/contract";
import type { PlainCall } from "./dialect.ts";

/**
 * How the members of requests of the current interface are called, which is unspecified but for a creation. Source:
 * conversation-api, section 4.2.
 */
export interface RequestNames {
  /** Members that the served OpenAPI document describes, by `<interface>/<operation>`; empty where it is not known. */
  readonly described: ReadonlyMap<string, readonly string[]>;
  /** Whether answers were seen to spell their members with underscores; absent while none tells. */
  isSnake?: boolean;
  /** The name of the cursor in requests, as that in the last list goes with it; absent while no list has one. */
  cursorName?: string;
}

/** Members of answers that tell how a target spells names, the one about pages first. */
const tellingMembers = [
  ["next_page_token", "nextPageToken"],
  ["next_cursor", "nextCursor"],
  ["conversation_summaries", "conversationSummaries"],
  ["create_time", "createTime"],
  ["update_time", "updateTime"],
] as const;

/** Remembers how an answer of the current interface spells its members. */
export function learnSpelling(names: RequestNames, json: unknown): void {
  const holder = unwrapped(json, "conversation").json;
  const has = (name: string): boolean => isRecord(holder) && Object.hasOwn(holder, name);
  const telling = tellingMembers.find(([snake, camel]) => has(snake) !== has(camel));
  if (telling !== undefined) {
    names.isSnake = has(telling[0]);
  }
  const cursor = currentCursorNames.find((name) => has(name));
  const cursorName = cursor === undefined ? undefined : requestNameOfCursor(cursor);
  if (cursorName !== undefined) {
    names.cursorName = cursorName;
  }
}

/** What the members are for that requests are made with; those of a creation are shown and stay. */
const rolesOf: Readonly<Partial<Record<PlainCall["operation"], Readonly<Record<string, CurrentRequestRole>>>>> = {
  list: { pageSize: "size", pageToken: "cursor" },
  get: { name: "name" },
  cancel: { name: "name" },
  delete: { name: "name" },
  "follow-up": { parent: "followUpParent" },
};

type Learned = Pick<RequestNames, "isSnake" | "cursorName">;

function nameFor(role: CurrentRequestRole, described: readonly string[], { isSnake, cursorName }: Learned): string {
  const candidates: readonly string[] = currentRequestNames[role];
  const [usual = role, snake = usual] = candidates;
  const spelled = isSnake === true && snake.includes("_") ? snake : usual;
  const learned = role === "cursor" ? cursorName : undefined;
  return candidates.find((name) => described.includes(name)) ?? learned ?? spelled;
}

/** A call with the names that the target has for the members of its request; of the legacy interface, which shows them, as it is. */
export function withRequestNames<Call extends PlainCall>(call: Call, { described, ...learned }: RequestNames): Call {
  const roles = call.interface === "current" ? rolesOf[call.operation] : undefined;
  if (roles === undefined || call.body === undefined) {
    return call;
  }
  const members: unknown = JSON.parse(call.body);
  const known = described.get(`current/${call.operation}`) ?? [];
  const renamed = Object.entries(isRecord(members) ? members : {}).map(([name, value]) => {
    const role = roles[name];
    return [role === undefined ? name : nameFor(role, known, learned), value] as const;
  });
  return { ...call, body: JSON.stringify(Object.fromEntries(renamed)) };
}
