import { asMembers } from "../samples/json-members.ts";

/** Returns JSON with sorted members, so that equal values have equal strings. */
export const formatCanonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) {
    return `[${value.map(formatCanonicalJson).join(",")}]`;
  }
  const members = asMembers(value);
  return members === undefined
    ? (JSON.stringify(value) ?? "null")
    : `{${Object.keys(members)
        .sort()
        .map((name) => `${JSON.stringify(name)}:${formatCanonicalJson(members[name])}`)
        .join(",")}}`;
};
