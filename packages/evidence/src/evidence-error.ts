import { HarnessError, isHarnessError } from "@assay/contract";
import type { HarnessErrorCode } from "@assay/contract";

const reasons: Readonly<Record<string, readonly [code: HarnessErrorCode, clause: string]>> = {
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
 * Converts a file system error to one with a closed code. `doing` completes "could not ...". A `HarnessError` is returned
 * unchanged.
 */
export function toEvidenceError(cause: unknown, doing: string): HarnessError {
  if (isHarnessError(cause)) {
    return cause;
  }
  const systemCode = errorCodeOf(cause);
  const [code, clause] = reasons[systemCode] ?? [
    "disk-failed",
    `the system answered ${systemCode || "an unknown error"}`,
  ];
  return new HarnessError(code, `could not ${doing}: ${clause}`, { cause });
}
