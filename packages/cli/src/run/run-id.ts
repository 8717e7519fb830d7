import { randomBytes } from "node:crypto";

/** A new id for a run: the time, so that folders sort, and a few random digits, so that two runs never share one. */
export const newRunId = (now: Date): string =>
  `${now.toISOString().replace(/[-:]/gu, "").replace(/\.\d+/u, "")}-${randomBytes(3).toString("hex")}`;
