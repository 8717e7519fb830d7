import { randomBytes } from "node:crypto";

/** A new id for a run: the time, so that folders sort, and random digits, so that no two runs have the same id. */
export const newRunId = (now: Date): string =>
  `${now.toISOString().replace(/[-:]/gu, "").replace(/\.\d+/u, "")}-${randomBytes(3).toString("hex")}`;
