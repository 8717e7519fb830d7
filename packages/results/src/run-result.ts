import type { RunOutcome } from "./outcome.ts";
import type { RuleStanding } from "./rule-standing.ts";
import type { ReportedFinding, RuleVerdict } from "./verdict.ts";

/** Why a run is incomplete: a closed code, and one sentence with the cause, the place and the next step. */
export interface IncompleteReason {
  readonly code:
    | "unreachable"
    | "authentication-refused"
    | "not-the-api"
    | "transport"
    | "limit"
    | "deadline"
    | "empty-selection"
    | "nothing-observed"
    | "must-test"
    | "bail"
    | "too-few-tested"
    | "evidence-incomplete"
    | "not-judged"
    | "invalid-load";
  readonly message: string;
}

/** One request of the run. */
export interface ExchangeSummary {
  readonly id: string;
  readonly probe: string;
  /** Interface and operation, such as `legacy` and `create`. */
  readonly interface: string;
  readonly operation: string;
  readonly url: string;
  readonly status?: number;
  readonly bytes: number;
  readonly events: number;
  readonly matches: number;
  /** Microseconds from sending to the last byte of the first `matches` event that is not empty. */
  readonly firstMatchMicros?: number;
  readonly durationMicros: number;
  /** One sentence if the exchange failed. */
  readonly failure?: string;
}

/** The OpenAPI document that responses of the conversation API were checked against. */
export interface ApiDocumentReport {
  /** `served`: the target's own, or one that the user gave for it. `pinned`: the one that comes with Assay. */
  readonly source: "served" | "pinned";
  /** The address of the document; absent for the pinned one. */
  readonly address?: string;
  /** SHA-256 of the received document, lower-case hex; absent for the pinned one. */
  readonly sha256?: string;
  /** Parts of it that could not be used, or why no document could, one sentence each. */
  readonly notes: readonly string[];
  /** Differences from the pinned one, one sentence each, in the order of operations. */
  readonly differences: readonly string[];
  /** Documented operations and statuses that did not occur in the run. */
  readonly unseen: readonly string[];
}

/** The result of a run: every report is rendered from it, and `verdicts.json` is its JSON. The same evidence gives the same bytes. */
export interface RunResult {
  readonly schemaVersion: 2;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly target: string;
    readonly embedded: boolean;
    readonly profile: string;
    readonly seed: number;
    readonly strict: boolean;
    /** HTTP versions of the responses, such as `1.1`, in order. Absent if unknown. */
    readonly httpVersions?: readonly string[];
    /** Whether searches without a token were refused or answered. Absent if access was declared or is unclear. */
    readonly foundAccess?: "private" | "public";
  };
  readonly outcome: RunOutcome;
  readonly exitCode: number;
  /** The outcome in one sentence. */
  readonly summary: string;
  readonly incomplete: readonly IncompleteReason[];
  /** Mistakes in the lists of known failures, one sentence each with list and line. Absent if there are none. */
  readonly knownFailureMistakes?: readonly string[];
  /** Known failures of Assay's own lists that did not occur, one sentence each; they fail nothing. Absent if there are none. */
  readonly knownFailureNotes?: readonly string[];
  /** Number of verdicts of each standing; a known failure does not count as failed. */
  readonly counts: Readonly<Record<RuleStanding, number>>;
  readonly verdicts: readonly RuleVerdict[];
  /** Permitted choices of the target by row of the behaviour register. */
  readonly unspecified: readonly { readonly behaviour: string; readonly seen: readonly ReportedFinding[] }[];
  /** Absent if no response of the conversation API was judged. */
  readonly openapi?: ApiDocumentReport;
  readonly exchanges: readonly ExchangeSummary[];
}
