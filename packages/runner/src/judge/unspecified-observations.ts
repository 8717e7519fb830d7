import { grammarObservations, isUnspecifiedId } from "@assay/contract";
import type { Finding, UnspecifiedId } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { ReportedFinding } from "@assay/results";
import type { JudgedExchange } from "@assay/rules";

/** Rows of the behaviour register with the target's choices, in the order of the register. */
export type UnspecifiedRows = readonly { readonly behaviour: string; readonly seen: readonly ReportedFinding[] }[];

const unspecifiedIdByCode: ReadonlyMap<string, UnspecifiedId> = new Map([
  ...Object.entries(grammarObservations).map(([code, { behaviour }]) => [code, behaviour] as const),
  ["matches-beyond-count", "stream/matches-beyond-count"] as const,
  ["other-suggested-count", "stream/suggested-count"] as const,
  ["alert-level", "stream/alert-level"] as const,
]);

const maxFindingsPerRow = 20;

/** Returns the row of the behaviour register for an observation. Rules about conversations set it themselves. */
export const findUnspecifiedId = ({ code }: Pick<Finding, "code">): UnspecifiedId | undefined =>
  code === undefined ? undefined : isUnspecifiedId(code) ? code : unspecifiedIdByCode.get(code);

interface Choice {
  readonly behaviour: UnspecifiedId;
  readonly message: string;
  readonly exchange: string;
}

function findChoices(judgedExchange: JudgedExchange): readonly Choice[] {
  const exchange = judgedExchange.record.id;
  return [
    findRefusalChoice(judgedExchange),
    findContentTypeChoice(judgedExchange),
    findProblemChoice(judgedExchange),
  ].flatMap((choice) => (choice === undefined ? [] : { ...choice, exchange }));
}

type ChoiceDraft = Omit<Choice, "exchange"> | undefined;

function findRefusalChoice({ record }: JudgedExchange): ChoiceDraft {
  const status = record.response?.status;
  return status === 401 || status === 403
    ? {
        behaviour: "stream/refusal-of-credentials",
        message: `${credentialLabels[record.credential]} is refused with status ${status}`,
      }
    : undefined;
}

function findContentTypeChoice({ record, stream }: JudgedExchange): ChoiceDraft {
  // A recording of raw bytes has no response head.
  const isHeadless = record.probe === "import" && record.response?.headers.length === 0;
  if (stream === undefined || stream.events === 0 || isHeadless) {
    return undefined;
  }
  const type = record.response?.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const message = type === undefined ? "no Content-Type" : `Content-Type: ${visibleText(type, 100)}`;
  return { behaviour: "stream/response-content-type", message };
}

function findProblemChoice({ stream }: JudgedExchange): ChoiceDraft {
  return stream?.hasOnlyProblems === true
    ? {
        behaviour: "stream/stream-without-search",
        message: "a search that fails is answered by alerts and `done`, without a progress",
      }
    : undefined;
}

const credentialLabels: Readonly<Record<RecordedExchange["record"]["credential"], string>> = {
  "access-token": "an access token",
  "oauth-token": "an OAuth token",
  "other-token": "an access token of another user",
  "read-token": "a token that may only read",
  "quota-token": "a token of a user without quota",
  "entitlement-token": "a token of a user without entitlement",
  "unscoped-token": "a token that lacks the scope",
  "unscoped-oauth-token": "an OAuth token that lacks the scope",
  "write-token": "a token that may only write",
  "access-token-as-bearer": "an access token in the scheme of OAuth tokens",
  "other-scheme": "a token after another word",
  "invalid-token": "a token that was never issued",
  "invalid-oauth-token": "an OAuth token that was never issued",
  "shortened-token": "the first eight characters of an access token",
  "lengthened-token": "an access token with one more character",
  "empty-token": "the word `token` and no token",
  none: "a search without a token",
  unknown: "a credential of unknown kind",
};

/** Collects the choices of a target from exchanges and from the notes of rules. */
export function collectUnspecifiedRows(
  exchanges: readonly JudgedExchange[],
  notes: readonly ReportedFinding[],
): UnspecifiedRows {
  const rows = new Map<string, Map<string, ReportedFinding>>();
  const addFinding = (behaviour: string, finding: ReportedFinding): void => {
    const findings = rows.get(behaviour) ?? new Map<string, ReportedFinding>();
    if (!findings.has(finding.message) && findings.size < maxFindingsPerRow) {
      findings.set(finding.message, finding);
    }
    rows.set(behaviour, findings);
  };
  for (const { behaviour, message, exchange } of exchanges.flatMap((judgedExchange) => findChoices(judgedExchange))) {
    addFinding(behaviour, { kind: "note", message, exchange });
  }
  for (const finding of notes) {
    const behaviour = findUnspecifiedId(finding);
    if (behaviour !== undefined) {
      addFinding(behaviour, finding);
    }
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([behaviour, seen]) => ({ behaviour, seen: [...seen.values()] }));
}
