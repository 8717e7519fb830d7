import type { Finding } from "@assay/contract";
import type { RuleVerdict } from "@assay/results";

type Requirement = RuleVerdict["requirements"][number];

const toKebabCase = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])|_/gu, "-").toLowerCase();

/** Returns the names in a finding: the members in its pointer, and the names quoted in its message. */
function collectNames({ pointer = "", message }: Finding): readonly string[] {
  const quotedNames = [...message.matchAll(/[`']([A-Za-z][A-Za-z_-]*)[`']/gu)].map(([, name = ""]) => name);
  return [...quotedNames, ...pointer.split("/").reverse()].filter((name) => /^[A-Za-z]/u.test(name)).map(toKebabCase);
}

/** Sorts the requirements of a rule: first those about members named in the findings, innermost first, then the rest in order. */
export function sortByRelevance(
  requirements: readonly Requirement[],
  findings: readonly Finding[],
): readonly Requirement[] {
  const names = findings.flatMap((finding) => collectNames(finding));
  const relevantRequirements = names.flatMap((name) => requirements.filter(({ id }) => id.endsWith(`-${name}`)));
  return [...new Set([...relevantRequirements, ...requirements])];
}
