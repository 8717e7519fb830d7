import type { RunOutcome } from "./outcome.ts";
import type { RuleStanding } from "./rule-standing.ts";
import type { IncompleteReason } from "./run-result.ts";

/** How a request ended. Nothing is judged yet. */
export interface LoggedRequest {
  readonly probe: string;
  readonly exchange: string;
  readonly interface: string;
  readonly operation: string;
  readonly status: "complete" | "failed";
  /** Status of the response, if there was one. */
  readonly httpStatus?: number;
  readonly bytes: number;
  readonly ms: number;
  /** One sentence if it failed. */
  readonly failure?: string;
}

/** Events of a run in order of time; `run-finished` comes last and once. */
export type LogEvent =
  | {
      readonly event: "run-started";
      readonly schemaVersion: 2;
      /** `load`: a load test; `profile` and `strict` are then absent. */
      readonly kind: "contract" | "load";
      readonly tool: { readonly name: string; readonly version: string };
      readonly run: {
        readonly id: string;
        readonly target: string;
        readonly embedded: boolean;
        readonly seed: number;
        readonly profile?: string;
        readonly strict?: boolean;
        readonly scenario?: string;
      };
    }
  | { readonly event: "probe-started"; readonly probe: string }
  | ({ readonly event: "probe-finished" } & LoggedRequest)
  | { readonly event: "probe-skipped"; readonly probe: string; readonly reason: string }
  /** `allowed` is absent if there is no limit. */
  | { readonly event: "question-asked"; readonly asked: number; readonly allowed?: number }
  /** Counts of all phases so far. `underWay`: busy virtual users. `p50Ms`: median of the latest values of `metric`. */
  | {
      readonly event: "load-progress";
      readonly elapsedMs: number;
      readonly ok: number;
      readonly failed: number;
      readonly violations: number;
      readonly underWay?: number;
      readonly p50Ms?: number;
      readonly metric?: "first-match" | "poll";
    }
  | { readonly event: "judging" }
  /** `red`: it makes the run fail. `message`: the first finding, or why the rule was not judged. */
  | {
      readonly event: "verdict";
      readonly rule: string;
      readonly interface: string;
      readonly operation: string;
      readonly standing: RuleStanding;
      readonly red: boolean;
      readonly message?: string;
    }
  | {
      readonly event: "threshold";
      readonly threshold: string;
      readonly severity?: "warn" | "abort";
      readonly ok?: boolean;
    }
  | { readonly event: "incomplete"; readonly code: IncompleteReason["code"]; readonly message: string }
  | {
      readonly event: "run-finished";
      readonly outcome: RunOutcome;
      /** The exit code of the process. */
      readonly exitCode: number;
      readonly summary: string;
    };

/** One line of `log.ndjson`. */
export type LogEntry = {
  /** Wall clock, ISO 8601 in UTC. */
  readonly at: string;
} & LogEvent;
