import type { ExitCode } from "../exit-codes.ts";
import type { RunOutcome } from "../outcome.ts";

/** The subjects of the checks of `assay doctor`, in the order of the report. */
export const doctorGroups = ["way", "access", "interfaces", "stream"] as const;
export type DoctorGroup = (typeof doctorGroups)[number];

interface DoctorCheckRecord {
  readonly group: DoctorGroup;
  /** The subject of the check, in a few words. */
  readonly title: string;
}

/** Every check, in the order of the report. Scripts may rely on the ids. */
export const doctorChecks = {
  reachable: { group: "way", title: "reachable" },
  proxy: { group: "way", title: "local proxy" },
  encryption: { group: "way", title: "TLS" },
  certificate: { group: "way", title: "certificate" },
  redirects: { group: "way", title: "redirects" },
  "is-the-api": { group: "way", title: "API" },
  front: { group: "way", title: "proxy in front" },
  clock: { group: "way", title: "clock" },
  "own-token": { group: "access", title: "valid token" },
  "without-token": { group: "access", title: "no token" },
  "invalid-token": { group: "access", title: "invalid token" },
  scopes: { group: "access", title: "scopes" },
  sharing: { group: "access", title: "sharing" },
  "stream-interface": { group: "interfaces", title: "streaming search" },
  "legacy-interface": { group: "interfaces", title: "legacy conversations" },
  "current-interface": { group: "interfaces", title: "current conversations" },
  "api-reference": { group: "interfaces", title: "OpenAPI document" },
  "rate-limit": { group: "interfaces", title: "failed requests" },
  "stream-end": { group: "stream", title: "complete streams" },
  buffering: { group: "stream", title: "buffering" },
  compression: { group: "stream", title: "compression" },
  "http-versions": { group: "stream", title: "HTTP versions" },
  "stream-format": { group: "stream", title: "extra lines" },
  "content-type": { group: "stream", title: "content type" },
  "cache-control": { group: "stream", title: "caching" },
} as const satisfies Readonly<Record<string, DoctorCheckRecord>>;
export type DoctorCheckId = keyof typeof doctorChecks;

/**
 * How a check ended. `problem`: it breaks streaming or the contract. `note`: worth knowing, breaks nothing by itself. `could-not-tell`: there
 * was no answer, or the check could not be made. `not-applicable`: there is nothing to check.
 */
export const doctorStatuses = ["fine", "note", "problem", "could-not-tell", "not-applicable"] as const;
export type DoctorStatus = (typeof doctorStatuses)[number];

/** One line of the report. A check that is not fine has advice. */
export type DoctorCheck =
  | {
      readonly id: DoctorCheckId;
      readonly status: "fine" | "not-applicable";
      /** One sentence without a full stop. Quotes of the target are escaped. */
      readonly found: string;
    }
  | {
      readonly id: DoctorCheckId;
      readonly status: "note" | "problem" | "could-not-tell";
      readonly found: string;
      /** What to do now, one sentence without a full stop. */
      readonly advice: string;
    };

/** The result of `assay doctor`; `--json` prints it. */
export interface DoctorReport {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly target: string;
  /** Whether Assay started the target for this report. */
  readonly embedded: boolean;
  /** Wall clock at the start, ISO 8601 UTC. */
  readonly startedAt: string;
  /** The query of the searches. */
  readonly query: string;
  /** How many requests were sent. */
  readonly requests: number;
  /** Every check once, in the order of `doctorChecks`. */
  readonly checks: readonly DoctorCheck[];
  readonly outcome: RunOutcome;
  readonly exitCode: ExitCode;
  /** One sentence without a full stop. */
  readonly summary: string;
}
