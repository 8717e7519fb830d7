import { membersOf } from "../samples/json-members.ts";

/** JSON with sorted members, so that equal values give equal texts. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(",")}]`;
  }
  const members = membersOf(value);
  return members === undefined
    ? (JSON.stringify(value) ?? "null")
    : `{${Object.keys(members)
        .sort()
        .map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`)
        .join(",")}}`;
};
