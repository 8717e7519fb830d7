import { currentCursorNames, currentRequestNames, findCursorRequestName } from "@assay/contract";
import { isRecord, unwrapResource } from "@assay/reading";
import type { CurrentRequestRole } from "@assay/contract";
import type { PlainCall } from "./dialect.ts";

/**
 * The names of request members in the current interface, which are unspecified except for a creation. Source: conversation-api,
 * section 4.2.
 */
export interface RequestNames {
  /** Members that the served OpenAPI document describes, by `<interface>/<operation>`; empty if it is unknown. */
  readonly describedMembers: ReadonlyMap<string, readonly string[]>;
  /** Whether answers use snake case; absent while unknown. */
  usesSnakeCase?: boolean;
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
export function recordSpelling(names: RequestNames, json: unknown): void {
  const holder = unwrapResource(json, "conversation").json;
  const hasMember = (name: string): boolean => isRecord(holder) && Object.hasOwn(holder, name);
  const spelledNames = spellingMembers.find(([snake, camel]) => hasMember(snake) !== hasMember(camel));
  if (spelledNames !== undefined) {
    names.usesSnakeCase = hasMember(spelledNames[0]);
  }
  const cursor = currentCursorNames.find((name) => hasMember(name));
  const cursorName = cursor === undefined ? undefined : findCursorRequestName(cursor);
  if (cursorName !== undefined) {
    names.cursorName = cursorName;
  }
}

/** The roles of request members. A creation is not included, since its members are specified. */
const rolesByOperation: Readonly<
  Partial<Record<PlainCall["operation"], Readonly<Record<string, CurrentRequestRole>>>>
> = {
  list: { pageSize: "size", pageToken: "cursor" },
  get: { name: "name" },
  cancel: { name: "name" },
  delete: { name: "name" },
  "follow-up": { parent: "followUpParent" },
};

type LearnedNames = Pick<RequestNames, "usesSnakeCase" | "cursorName">;

function selectName(
  role: CurrentRequestRole,
  describedNames: readonly string[],
  { usesSnakeCase, cursorName }: LearnedNames,
): string {
  const candidates: readonly string[] = currentRequestNames[role];
  const [defaultName = role, snakeName = defaultName] = candidates;
  const spelledName = usesSnakeCase === true && snakeName.includes("_") ? snakeName : defaultName;
  const learnedName = role === "cursor" ? cursorName : undefined;
  return candidates.find((name) => describedNames.includes(name)) ?? learnedName ?? spelledName;
}

/** Returns a call with the member names of the target. Calls of the legacy interface, which specifies them, do not change. */
export function applyRequestNames<Call extends PlainCall>(
  call: Call,
  { describedMembers, ...learnedNames }: RequestNames,
): Call {
  const roles = call.interface === "current" ? rolesByOperation[call.operation] : undefined;
  if (roles === undefined || call.body === undefined) {
    return call;
  }
  const members: unknown = JSON.parse(call.body);
  const describedNames = describedMembers.get(`current/${call.operation}`) ?? [];
  const renamedMembers = Object.entries(isRecord(members) ? members : {}).map(([name, value]) => {
    const role = roles[name];
    return [role === undefined ? name : selectName(role, describedNames, learnedNames), value] as const;
  });
  return { ...call, body: JSON.stringify(Object.fromEntries(renamedMembers)) };
}
