/** Names of the files of a bundle, relative to its folder. */
export const bundleFiles = {
  manifest: "manifest.json",
  exchanges: "exchanges.ndjson",
  bodies: "bodies",
  footer: "footer.json",
} as const;

/** A list of known failures given to a run. */
export interface KnownFailureFile {
  /** The list as the user named it. */
  readonly source: string;
  readonly text: string;
  /** The list is part of Assay [false]. */
  readonly isShipped?: boolean;
}

/**
 * Describes a run, written before its first exchange. `settings` is everything that judging needs in addition to the
 * exchanges.
 */
export interface Manifest {
  readonly schemaVersion: 1;
  readonly runId: string;
  readonly tool: { readonly name: "assay"; readonly version: string };
  /** Wall clock at the start, ISO 8601 UTC. Never used for durations. */
  readonly startedAt: string;
  readonly target: {
    readonly url: string;
    readonly access: "private" | "public" | "undeclared";
    /** Whether other users may read conversations with their read token [undeclared]. */
    readonly sharing?: "on" | "off" | "undeclared";
    /** Why the target must not be asked questions, one clause. Absent if it may. */
    readonly asksNothing?: string;
    readonly embedded: boolean;
  };
  readonly profile: string;
  readonly seed: number;
  /** Ids of the selected rules, sorted. */
  readonly rules: readonly string[];
  readonly strict: boolean;
  /** Whether passed rules are confirmed with altered responses [true]. */
  readonly proof?: boolean;
  /** Digests of everything else that rules depend on: SHA-256, lower-case hex. */
  readonly digests: { readonly catalogue: string; readonly openapi: string };
  /** Known-failure files of the run, in full, so that judging again does not depend on later changes. */
  readonly knownFailures?: readonly KnownFailureFile[];
  /** Sentences about parts of a complete run that could not be judged. */
  readonly notes?: readonly string[];
}

export const stopCauses = ["deadline", "broken-searches", "bail"] as const;
export type StopCause = (typeof stopCauses)[number];

export const unsentCauses = ["busy", "quota", "budget", "token", "bail", "other"] as const;
/**
 * Why a probe was not sent.
 * - `busy`: the target is too busy for more requests
 * - `quota`: a quota of the user is exhausted
 * - `budget`: the run has no questions left
 * - `token`: a token was not given
 * - `bail`: enough rules had failed
 * - `other`: something the probe builds on is missing
 */
export type UnsentCause = (typeof unsentCauses)[number];

/** A planned probe that was not sent. */
export interface UnsentProbe {
  readonly interface: "stream" | "legacy" | "current";
  readonly probe: string;
  readonly cause: UnsentCause;
  /** A clause. */
  readonly reason: string;
}

/** Written last. A bundle without it is incomplete. */
export interface Footer {
  readonly exchanges: number;
  readonly bodies: number;
  /** SHA-256 of `exchanges.ndjson`, lower-case hex. */
  readonly exchangesSha256: string;
  /** SHA-256 of `manifest.json`, lower-case hex. Absent in older runs. */
  readonly manifestSha256?: string;
  /** How sending requests ended. */
  readonly ended: "complete" | "stopped" | "interrupted";
  /**
   * Why it stopped early: the time limit of the run, repeated connection failures of searches, or the maximum number of
   * failed rules.
   */
  readonly cause?: StopCause;
  /** Why it stopped early, one sentence. */
  readonly reason?: string;
  /** What could not be removed from the target, one sentence. Absent if nothing is left. */
  readonly left?: string;
  /** Planned probes that were not sent, in order. Absent if all were sent. */
  readonly unsent?: readonly UnsentProbe[];
}
