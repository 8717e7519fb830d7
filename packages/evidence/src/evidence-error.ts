/** Closed codes of what can go wrong with evidence that is not the target's doing. */
export const evidenceErrorCodes = [
  "folder-not-empty",
  "folder-removed",
  "not-writable",
  "disk-full",
  "disk-failed",
  "writer-closed",
  "duplicate-exchange",
  "secret-refused",
  "not-a-bundle",
  "unsupported-schema",
  "not-a-har",
  "too-large",
  "body-unreadable",
] as const;
export type EvidenceErrorCode = (typeof evidenceErrorCodes)[number];

/** A failure of the harness or its surroundings while handling evidence; the message starts with the code. */
export class EvidenceError extends Error {
  override readonly name = "EvidenceError";
  readonly code: EvidenceErrorCode;

  constructor(code: EvidenceErrorCode, sentence: string, options?: ErrorOptions) {
    super(`${code}: ${sentence}`, options);
    this.code = code;
  }
}

const reasons: Readonly<Record<string, readonly [code: EvidenceErrorCode, clause: string]>> = {
  ENOSPC: ["disk-full", "the disk is full; free some space and start again"],
  EDQUOT: ["disk-full", "the disk quota is used up; free some space and start again"],
  EFBIG: ["disk-full", "the file grew past the largest size allowed here"],
  EACCES: ["not-writable", "permission was denied; choose a folder that can be written"],
  EPERM: ["not-writable", "the operation is not permitted; choose a folder that can be written"],
  EROFS: ["not-writable", "the file system is read-only; choose another folder"],
  ENOENT: ["folder-removed", "the folder is gone; do not remove it while a run writes to it"],
  ENOTDIR: ["folder-removed", "a part of the path is not a folder; choose another path"],
};

const errorCodeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";

/**
 * Turns an error of the file system into one with a closed code. `doing` completes "could not ...". An `EvidenceError`
 * passes unchanged.
 */
export function toEvidenceError(cause: unknown, doing: string): EvidenceError {
  if (cause instanceof EvidenceError) {
    return cause;
  }
  const systemCode = errorCodeOf(cause);
  const [code, clause] = reasons[systemCode] ?? [
    "disk-failed",
    `the system answered ${systemCode || "an unknown error"}`,
  ];
  return new EvidenceError(code, `could not ${doing}: ${clause}`, { cause });
}
