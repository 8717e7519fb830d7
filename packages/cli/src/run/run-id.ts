import { randomBytes } from "node:crypto";

/** Returns a new run id: the time, so that folders sort by it, and random digits, so that ids are unique. */
export const createRunId = (now: Date): string =>
  `${now.toISOString().replace(/[-:]/gu, "").replace(/\.\d+/u, "")}-${randomBytes(3).toString("hex")}`;
