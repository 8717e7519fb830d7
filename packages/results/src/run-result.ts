import type { RunOutcome } from "./outcome.ts";
import type { RuleStanding } from "./rule-standing.ts";
import type { ReportedFinding, RuleVerdict } from "./verdict.ts";

/** Why nothing, or not enough, was learned: a closed code and one sentence that says what, where and what next. */
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

/** One request of the run, for people who read the report. */
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
  /** One sentence, when the exchange failed. */
  readonly failure?: string;
}

/** Which OpenAPI document judged the answers of the conversation API. */
export interface ApiDocumentReport {
  /** `served`: the target's own, or one that was given for it; `pinned`: the one that comes with the tool. */
  readonly source: "served" | "pinned";
  /** Where the document came from; absent for the pinned one. */
  readonly address?: string;
  /** SHA-256 of the document as it came, lower-case hex; absent for the pinned one. */
  readonly sha256?: string;
  /** What of it could not be used, and why none was; requirements. */
  readonly notes: readonly string[];
  /** How it differs from the pinned one, a sentence each, in the order of operations. */
  readonly differences: readonly string[];
  /** Operations and statuses that it describes and that nothing of the run showed. */
  readonly unseen: readonly string[];
}

/** The value everything is rendered from; `verdicts.json` is its JSON. The same evidence gives the same bytes. */
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
    /** Versions of HTTP in which answers came, such as `1.1`, in order. Absent where that is not known. */
    readonly httpVersions?: readonly string[];
    /** Whether searches without a token were refused or answered. Absent where access was declared or is not clear. */
    readonly foundAccess?: "private" | "public";
  };
  readonly outcome: RunOutcome;
  readonly exitCode: number;
  /** One sentence that says the outcome. */
  readonly summary: string;
  readonly incomplete: readonly IncompleteReason[];
  /** What is wrong with the lists of known failures, a sentence each with list and line; absent without any. */
  readonly knownFailureMistakes?: readonly string[];
  /** Known failures of the tool's own lists that did not show, a sentence each; absent without any. Never red. */
  readonly knownFailureNotes?: readonly string[];
  /** Number of verdicts of each standing; a known failure counts as that and not as failed. */
  readonly counts: Readonly<Record<RuleStanding, number>>;
  readonly verdicts: readonly RuleVerdict[];
  /** Permitted choices of the target by row of the behaviour register. */
  readonly unspecified: readonly { readonly behaviour: string; readonly seen: readonly ReportedFinding[] }[];
  /** Absent where no answer of the conversation API was judged. */
  readonly openapi?: ApiDocumentReport;
  readonly exchanges: readonly ExchangeSummary[];
}
