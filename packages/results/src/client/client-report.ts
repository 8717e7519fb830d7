import type { RuleStanding } from "../rule-standing.ts";
import type { RunOutcome } from "../outcome.ts";
import type { IncompleteReason } from "../run-result.ts";
import type { RuleVerdict, Verdict } from "../verdict.ts";

/** What a check rests on: words of the specifications or of HTTP (`stated`), what follows from them, or what is only likely. */
export type ClientCheckBasis = "stated" | "derived" | "inferred";

/** The verdict of one check in one trial. */
export interface ClientCheck {
  /** Id of the check, such as `search/no-repeat`. */
  readonly check: string;
  /** What holds of a good client, one clause. */
  readonly title: string;
  readonly basis: ClientCheckBasis;
  /** The requirements it comes from, in the project's own words. */
  readonly requirements: RuleVerdict["requirements"];
  /** What else it rests on, one sentence. */
  readonly because?: string;
  readonly verdict: Verdict;
}

/** How a client ended: by itself, by a signal of somebody else, or killed by the harness. */
export type ClientEnd =
  | { readonly kind: "exited"; readonly status: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "killed"; readonly why: "deadline" | "lingering" | "interrupted" };

/**
 * Whether the client took part: `skipped` said so with exit status 77 and asked nothing, `no-request` asked nothing of what it
 * was told to, or only searched where it was told to ask a question, and did not say why.
 */
export type ClientParticipation = "took-part" | "skipped" | "no-request";

/** One trial of a client. */
export interface ClientTrial {
  readonly trial: string;
  /** `stream`, `legacy` or `current`. */
  readonly interface: string;
  /** What the client was told to do: `search`, `ask` or `cancel`. */
  readonly task: string;
  /** What the server did, one clause. */
  readonly title: string;
  readonly participation: ClientParticipation;
  /** Requests that arrived at the server. */
  readonly requests: number;
  readonly durationMs: number;
  readonly end: ClientEnd;
  /** The end of what the client wrote to standard error, tokens replaced; empty when it wrote nothing. */
  readonly lastWords: string;
  readonly checks: readonly ClientCheck[];
}

/** What trying a client came to; everything is rendered from it. */
export interface ClientReport {
  readonly schemaVersion: 2;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly run: {
    readonly startedAt: string;
    /** Program and arguments as they were given. */
    readonly command: readonly string[];
    /** How long a trial may take. */
    readonly timeoutMs: number;
    /** How long a client may go on, and was watched, once its task was over. */
    readonly lingerMs: number;
  };
  readonly outcome: RunOutcome;
  readonly exitCode: number;
  /** One sentence that says the outcome. */
  readonly summary: string;
  readonly incomplete: readonly IncompleteReason[];
  /** Number of verdicts of each standing. */
  readonly counts: Readonly<Record<RuleStanding, number>>;
  readonly trials: readonly ClientTrial[];
}
