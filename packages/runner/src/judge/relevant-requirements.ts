import type { Finding } from "@assay/contract";
import type { RuleVerdict } from "@assay/results";

type Requirement = RuleVerdict["requirements"][number];

const kebab = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])|_/gu, "-").toLowerCase();

/** Names in a finding: the members in its pointer, and those quoted in its message. */
function namesIn({ pointer = "", message }: Finding): readonly string[] {
  const quoted = [...message.matchAll(/[`']([A-Za-z][A-Za-z_-]*)[`']/gu)].map(([, name = ""]) => name);
  return [...quoted, ...pointer.split("/").reverse()].filter((name) => /^[A-Za-z]/u.test(name)).map(kebab);
}

/** The requirements of a rule. Those about members that the findings name come first, innermost first; the rest keep their order. */
export function relevantFirst(
  requirements: readonly Requirement[],
  findings: readonly Finding[],
): readonly Requirement[] {
  const names = findings.flatMap((finding) => namesIn(finding));
  const about = names.flatMap((name) => requirements.filter(({ id }) => id.endsWith(`-${name}`)));
  return [...new Set([...about, ...requirements])];
}
