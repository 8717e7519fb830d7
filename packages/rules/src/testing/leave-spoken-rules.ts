import { appendFileSync } from "node:fs";
import { afterAll } from "vitest";
import { type Spoken, spokenFile } from "./spoken-rules.ts";
import { broken, held } from "./watched-rules.ts";

// Runs before each test file; after it, appends the outcomes of rules in its worker to the log.
afterAll(() => {
  const spoken: Spoken = { broken: [...broken], held: [...held] };
  appendFileSync(spokenFile, `${JSON.stringify(spoken)}\n`);
});
