import { HarnessError, isHarnessError } from "@assay/contract";
import type { HarnessErrorCode } from "@assay/contract";

const errorsBySystemCode: Readonly<Record<string, readonly [code: HarnessErrorCode, clause: string]>> = {
  ENOSPC: ["disk-full", "the disk is full; free some space and start again"],
  EDQUOT: ["disk-full", "the disk quota is used up; free some space and start again"],
  EFBIG: ["disk-full", "the file exceeds the maximum file size of the system"],
  EACCES: ["not-writable", "permission was denied; choose a writable folder"],
  EPERM: ["not-writable", "the operation is not permitted; choose a writable folder"],
  EROFS: ["not-writable", "the file system is read-only; choose another folder"],
  ENOENT: ["folder-removed", "the folder was removed during the run; run again and keep it until the run ends"],
  ENOTDIR: ["folder-removed", "part of the path is not a folder; choose another path"],
};

const systemErrorCode = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";

/**
 * Converts a file system error to a `HarnessError` with one of a fixed set of codes. `action` completes "could not …".
 * Returns a `HarnessError` unchanged.
 */
export function toEvidenceError(cause: unknown, action: string): HarnessError {
  if (isHarnessError(cause)) {
    return cause;
  }
  const systemCode = systemErrorCode(cause);
  const [code, clause] = errorsBySystemCode[systemCode] ?? ["disk-failed", systemCode || "unknown system error"];
  return new HarnessError(code, `could not ${action}: ${clause}`, { cause });
}
