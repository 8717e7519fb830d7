import { boundedKey } from "./excerpt.ts";

/** A poller. There is one object of each, so sessions are compared without looking at their names. */
export interface Session {
  readonly name: string;
  /** From 0, in the order in which they came: for looking up alone, never for comparing. */
  readonly number: number;
}

/** Gives each name its session. */
export function createSessions(): (name: string) => Session {
  const known = new Map<string, Session>();
  return (name) => {
    const key = boundedKey(name);
    let session = known.get(key);
    if (session === undefined) {
      session = { name: key, number: known.size };
      known.set(key, session);
    }
    return session;
  };
}
