/** Names of the files of a bundle, relative to its folder. */
export const bundleFiles = {
  manifest: "manifest.json",
  exchanges: "exchanges.ndjson",
  bodies: "bodies",
  footer: "footer.json",
} as const;

/** A list of known failures as a run was given it. */
export interface KnownFailureFile {
  /** The list as it was named. */
  readonly source: string;
  readonly text: string;
  /** Whether it came with the tool [false]. */
  readonly isShipped?: boolean;
}

/** What a run was, written before its first exchange. `settings` is whatever judging needs besides the exchanges. */
export interface Manifest {
  readonly schemaVersion: 1;
  readonly runId: string;
  readonly tool: { readonly name: "assay"; readonly version: string };
  /** Wall clock at the start, ISO 8601 UTC; durations never come from it. */
  readonly startedAt: string;
  readonly target: {
    readonly url: string;
    readonly access: "private" | "public" | "undeclared";
    /** Whether conversations may be read by their read token by other users [undeclared]. */
    readonly sharing?: "on" | "off" | "undeclared";
    /** Why no question may be asked of the target, one clause. Absent when it may. */
    readonly asksNothing?: string;
    readonly embedded: boolean;
  };
  readonly profile: string;
  readonly seed: number;
  /** Ids of the selected rules, sorted. */
  readonly rules: readonly string[];
  readonly strict: boolean;
  /** Whether rules that hold are proven able to fail on this evidence [yes]. */
  readonly proof?: boolean;
  /** Digests of what judges rely on besides the exchanges: SHA-256, lower-case hex. */
  readonly digests: { readonly catalogue: string; readonly openapi: string };
  /** Files of known failures that the run was given, in full: judging it again must not depend on what became of them. */
  readonly knownFailures?: readonly KnownFailureFile[];
  /** Sentences about parts of a complete run that could not be judged. */
  readonly notes?: readonly string[];
}

export const stopCauses = ["deadline", "broken-searches", "bail"] as const;
export type StopCause = (typeof stopCauses)[number];

export const unsentCauses = ["busy", "quota", "budget", "token", "bail", "other"] as const;
/**
 * What kept a probe from being sent. `busy`: the target is too busy to be asked more. `quota`: a quota of the user is used
 * up. `budget`: the questions of the run are. `token`: a token was not given. `bail`: enough rules had failed. `other`: what it
 * builds on is not there.
 */
export type UnsentCause = (typeof unsentCauses)[number];

/** A probe that was wanted and not sent. */
export interface UnsentProbe {
  readonly interface: "stream" | "legacy" | "current";
  readonly probe: string;
  readonly cause: UnsentCause;
  /** A clause. */
  readonly reason: string;
}

/** Written last; a bundle without it is incomplete. */
export interface Footer {
  readonly exchanges: number;
  readonly bodies: number;
  /** SHA-256 of `exchanges.ndjson`, lower-case hex. */
  readonly exchangesSha256: string;
  /** SHA-256 of `manifest.json`, lower-case hex. Absent in runs that were recorded before it was written. */
  readonly manifestSha256?: string;
  /** How driving ended. */
  readonly ended: "complete" | "stopped" | "interrupted";
  /** What made it stop early: the time for the run was up, searches broke off one after the other, or as many rules failed as were to be waited for. */
  readonly cause?: StopCause;
  /** Why it stopped early, one sentence. */
  readonly reason?: string;
  /** What could not be removed from the target, one sentence. Absent when nothing is left. */
  readonly left?: string;
  /** Probes that were wanted and not sent, in the order of noticing. Absent when all were sent. */
  readonly unsent?: readonly UnsentProbe[];
}
