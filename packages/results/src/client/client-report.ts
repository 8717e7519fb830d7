import type { RuleStanding } from "../rule-standing.ts";
import type { RunOutcome } from "../outcome.ts";
import type { IncompleteReason } from "../run-result.ts";
import type { RuleVerdict, Verdict } from "../verdict.ts";

/** The source of a check: the specifications or HTTP say so (`stated`), it follows from them (`derived`), or it is likely (`inferred`). */
export type ClientCheckBasis = "stated" | "derived" | "inferred";

/** The verdict of one check in one trial. */
export interface ClientCheck {
  /** Id of the check, such as `search/no-repeat`. */
  readonly check: string;
  /** What a correct client does, one clause. */
  readonly title: string;
  readonly basis: ClientCheckBasis;
  /** Its requirements, in the project's own words. */
  readonly requirements: RuleVerdict["requirements"];
  /** The reason for the check if it has no requirement, one sentence. */
  readonly because?: string;
  readonly verdict: Verdict;
}

/** How a client ended: by itself, by a signal that Assay did not send, or killed by Assay. */
export type ClientEnd =
  | { readonly kind: "exited"; readonly status: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "killed"; readonly why: "deadline" | "lingering" | "interrupted" };

/**
 * Whether the client took part. `skipped`: it exited with status 77 and sent no request. `no-request`: it did not send the requests of
 * its task, or it only searched although its task was to ask a question.
 */
export type ClientParticipation = "took-part" | "skipped" | "no-request";

/** One trial of a client. */
export interface ClientTrial {
  readonly trial: string;
  /** `stream`, `legacy` or `current`. */
  readonly interface: string;
  /** The task of the client: `search`, `ask` or `cancel`. */
  readonly task: string;
  /** What the server did, one clause. */
  readonly title: string;
  readonly participation: ClientParticipation;
  /** Requests that arrived at the server. */
  readonly requests: number;
  readonly durationMs: number;
  readonly end: ClientEnd;
  /** The end of standard error, tokens replaced. */
  readonly lastWords: string;
  readonly checks: readonly ClientCheck[];
}

/** The result of all trials of a client; every report is rendered from it. */
export interface ClientReport {
  readonly schemaVersion: 2;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly run: {
    readonly startedAt: string;
    /** Program and arguments, as given. */
    readonly command: readonly string[];
    /** Time limit of a trial. */
    readonly timeoutMs: number;
    /** How long a client may continue after its task; it is watched for that time. */
    readonly lingerMs: number;
  };
  readonly outcome: RunOutcome;
  readonly exitCode: number;
  /** The outcome in one sentence. */
  readonly summary: string;
  readonly incomplete: readonly IncompleteReason[];
  /** Number of verdicts of each standing. */
  readonly counts: Readonly<Record<RuleStanding, number>>;
  readonly trials: readonly ClientTrial[];
}
