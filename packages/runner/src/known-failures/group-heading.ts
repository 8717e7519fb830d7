import type { Line, LineGroup } from "./line-groups.ts";
import { quoted } from "./quoted.ts";

/** What is wrong in which line, one clause. */
export interface LineMistake {
  readonly line: number;
  readonly mistake: string;
}

/** What the comments above the entries of a group say. */
export interface GroupHeading {
  readonly reason: string;
  readonly owner: string;
  readonly expires?: string;
}

interface Field {
  readonly name: "owner" | "expires";
  readonly value: string;
  readonly line: number;
}

const fieldName = /(?:^|\s)(?<name>owner|expires)\s*:/giu;
const bracketed = /\([^()]*\)/gu;
const isFieldLine = ({ text }: Line): boolean => /^(?:owner|expires)\s*:/iu.test(text);

/** The fields of a line such as `owner: platform-team   expires: 2027-01-31   (OPS-412)`, and what stands in brackets. */
const fieldsOf = ({ text, number }: Line): { readonly fields: readonly Field[]; readonly remark: string } => {
  const plain = text.replaceAll(bracketed, " ");
  const names = [...plain.matchAll(fieldName)];
  const fields = names.map((found, index): Field => {
    const name = found.groups?.["name"]?.toLowerCase() === "owner" ? "owner" : "expires";
    const end = names[index + 1]?.index ?? plain.length;
    return { name, value: plain.slice(found.index + found[0].length, end).trim(), line: number };
  });
  return { fields, remark: text.match(bracketed)?.join(" ") ?? "" };
};

/** Whether a text is a day of the calendar, written `YYYY-MM-DD`. */
const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/u.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};

interface Wanted {
  readonly name: Field["name"];
  readonly missing: string;
}
const wantedOwner: Wanted = { name: "owner", missing: "no owner; add `# owner: NAME` above its entries" };
const wantedExpiry: Wanted = {
  name: "expires",
  missing: "no expiry date; add `# expires: YYYY-MM-DD`, the last day on which it holds, above its entries",
};

const oneOf = (fields: readonly Field[], { name, missing }: Wanted, line: number): Field | LineMistake => {
  const [first, second] = fields.filter((field) => field.name === name && field.value !== "");
  if (first === undefined) {
    return { line, mistake: `the group has ${missing}` };
  }
  return second === undefined ? first : { line: second.line, mistake: `the group has a second \`${name}:\`; keep one` };
};

const checkedDay = (field: Field | LineMistake): Field | LineMistake =>
  "mistake" in field || isDay(field.value)
    ? field
    : { line: field.line, mistake: `${quoted(field.value)} is not a day; write it as YYYY-MM-DD` };

/** Options of `readHeading`. */
export interface HeadingOptions {
  /** Whether a group without an expiry date is mistaken. */
  readonly needsExpiry: boolean;
}

const firstLineOf = ({ comments, entries }: LineGroup): number => comments[0]?.number ?? entries[0]?.number ?? 1;

/**
 * Reads the comments of a group: `owner:` and `expires:` where a line begins with one of them, and the reason, which is all
 * the rest; what stands in brackets behind a field is added to the reason. Tells every mistake, not only the first.
 */
export const readHeading = (
  group: LineGroup,
  { needsExpiry }: HeadingOptions,
): GroupHeading | { readonly mistakes: readonly LineMistake[] } => {
  const line = firstLineOf(group);
  const read = group.comments.filter(isFieldLine).map(fieldsOf);
  const fields = read.flatMap((one) => one.fields);
  const words = group.comments.filter((comment) => !isFieldLine(comment)).map(({ text }) => text);
  const hasReason = words.some((text) => text !== "");
  const owner = oneOf(fields, wantedOwner, line);
  const isDated = needsExpiry || fields.some(({ name }) => name === "expires");
  const expires = isDated ? checkedDay(oneOf(fields, wantedExpiry, line)) : undefined;
  const why = "no reason; say in a comment line directly above its entries why they fail";
  const reasonMistakes: readonly LineMistake[] = hasReason ? [] : [{ line, mistake: `the group has ${why}` }];
  const mistakes = [owner, ...(expires === undefined ? [] : [expires])].filter((field) => "mistake" in field);
  if (!hasReason || "mistake" in owner || (expires !== undefined && "mistake" in expires)) {
    return { mistakes: [...reasonMistakes, ...mistakes] };
  }
  const reason = [...words, ...read.map(({ remark }) => remark)].filter((text) => text !== "").join(" ");
  return { reason, owner: owner.value, ...(expires === undefined ? {} : { expires: expires.value }) };
};
