import { appendFileSync, statSync } from "node:fs";

/** Why nothing could be appended, a clause; undefined when all went well. */
export function appendTo(path: string, text: string): string | undefined {
  try {
    appendFileSync(path, text);
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "it could not be written";
  }
}

/** Bytes of a file that is there; 0 where there is none. */
export function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    // Whether it can be made shows when something is written.
    return 0;
  }
}
