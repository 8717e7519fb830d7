import { currentCursorNames, currentRequestNames, requestNameOfCursor } from "@assay/contract";
import { isRecord, unwrapResource } from "@assay/reading";
import type { CurrentRequestRole } from "@assay/contract";
import type { PlainCall } from "./dialect.ts";

/**
 * The names of request members of the current interface, which are unspecified except for a creation. Source: conversation-api,
 * section 4.2.
 */
export interface RequestNames {
  /** Members that the served OpenAPI document describes, by `<interface>/<operation>`; empty if it is unknown. */
  readonly described: ReadonlyMap<string, readonly string[]>;
  /** Whether answers use snake case; absent while unknown. */
  isSnake?: boolean;
  /** The request name that matches the cursor in the last list; absent while no list has one. */
  cursorName?: string;
}

/** Members of answers that show the spelling of a target; the page cursor comes first. */
const spellingMembers = [
  ["next_page_token", "nextPageToken"],
  ["next_cursor", "nextCursor"],
  ["conversation_summaries", "conversationSummaries"],
  ["create_time", "createTime"],
  ["update_time", "updateTime"],
] as const;

/** Records the spelling of members in an answer of the current interface. */
export function learnSpelling(names: RequestNames, json: unknown): void {
  const holder = unwrapResource(json, "conversation").json;
  const has = (name: string): boolean => isRecord(holder) && Object.hasOwn(holder, name);
  const spelled = spellingMembers.find(([snake, camel]) => has(snake) !== has(camel));
  if (spelled !== undefined) {
    names.isSnake = has(spelled[0]);
  }
  const cursor = currentCursorNames.find((name) => has(name));
  const cursorName = cursor === undefined ? undefined : requestNameOfCursor(cursor);
  if (cursorName !== undefined) {
    names.cursorName = cursorName;
  }
}

/** The roles of request members. A creation is not included, since its members are specified. */
const rolesOf: Readonly<Partial<Record<PlainCall["operation"], Readonly<Record<string, CurrentRequestRole>>>>> = {
  list: { pageSize: "size", pageToken: "cursor" },
  get: { name: "name" },
  cancel: { name: "name" },
  delete: { name: "name" },
  "follow-up": { parent: "followUpParent" },
};

type Learned = Pick<RequestNames, "isSnake" | "cursorName">;

function selectName(role: CurrentRequestRole, described: readonly string[], { isSnake, cursorName }: Learned): string {
  const candidates: readonly string[] = currentRequestNames[role];
  const [usual = role, snake = usual] = candidates;
  const spelled = isSnake === true && snake.includes("_") ? snake : usual;
  const learnedName = role === "cursor" ? cursorName : undefined;
  return candidates.find((name) => described.includes(name)) ?? learnedName ?? spelled;
}

/** A call with the member names of the target. Calls of the legacy interface, which specifies them, do not change. */
export function withRequestNames<Call extends PlainCall>(call: Call, { described, ...learned }: RequestNames): Call {
  const roles = call.interface === "current" ? rolesOf[call.operation] : undefined;
  if (roles === undefined || call.body === undefined) {
    return call;
  }
  const members: unknown = JSON.parse(call.body);
  const describedNames = described.get(`current/${call.operation}`) ?? [];
  const renamed = Object.entries(isRecord(members) ? members : {}).map(([name, value]) => {
    const role = roles[name];
    return [role === undefined ? name : selectName(role, describedNames, learned), value] as const;
  });
  return { ...call, body: JSON.stringify(Object.fromEntries(renamed)) };
}
