/** Names of the files of a bundle, relative to its folder. */
export const bundleFiles = {
  manifest: "manifest.json",
  exchanges: "exchanges.ndjson",
  bodies: "bodies",
  footer: "footer.json",
} as const;

/** A list of known failures given to a run. */
export interface KnownFailureFile {
  /** The list as the user specified it. */
  readonly source: string;
  readonly text: string;
  /** The list is part of Assay [false]. */
  readonly isShipped?: boolean;
}

/**
 * The description of a run, written before its first exchange. It contains everything, in addition to the exchanges, that judging needs.
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
    /** Reports whether other users may read conversations with their read token [undeclared]. */
    readonly sharing?: "on" | "off" | "undeclared";
    /** The reason why the target must not be asked questions, as a clause. Absent if it may. */
    readonly asksNothing?: string;
    readonly embedded: boolean;
  };
  readonly profile: string;
  readonly seed: number;
  /** Ids of the selected rules, sorted. */
  readonly rules: readonly string[];
  readonly strict: boolean;
  /** Reports whether passed rules are confirmed with altered responses [true]. */
  readonly proof?: boolean;
  /** Digests of everything else that rules depend on: SHA-256, lower-case hex. */
  readonly digests: { readonly catalogue: string; readonly openapi: string };
  /** Known-failure files of the run, in full, so that judging again does not depend on later changes. */
  readonly knownFailures?: readonly KnownFailureFile[];
  /** Messages about parts of a complete run that could not be judged. */
  readonly notes?: readonly string[];
}

export const stopCauses = ["deadline", "broken-searches", "bail"] as const;
export type StopCause = (typeof stopCauses)[number];

export const unsentCauses = ["busy", "quota", "budget", "token", "bail", "other"] as const;
/**
 * The reason why a probe was not sent.
 * - `busy`: the target was too busy
 * - `quota`: a quota of the user was exhausted
 * - `budget`: the run had no questions left
 * - `token`: a token was not given
 * - `bail`: enough rules had failed
 * - `other`: a prerequisite of the probe was missing
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
  /** The way in which sending requests ended. */
  readonly ended: "complete" | "stopped" | "interrupted";
  /**
   * The cause of an early stop: the time limit of the run, repeated connection failures of searches, or the maximum number of failed rules.
   */
  readonly cause?: StopCause;
  /** The reason for an early stop, one sentence. */
  readonly reason?: string;
  /** A message about conversations that could not be deleted from the target. Absent if none are left. */
  readonly left?: string;
  /** Planned probes that were not sent, in order. Absent if all were sent. */
  readonly unsent?: readonly UnsentProbe[];
}
