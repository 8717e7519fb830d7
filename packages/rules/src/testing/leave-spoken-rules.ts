import { appendFileSync } from "node:fs";
import { afterAll } from "vitest";
import { type Spoken, spokenFile } from "./spoken-rules.ts";
import { broken, held } from "./watched-rules.ts";

// Run before each test file: the file leaves a line of what rules have said in its worker.
afterAll(() => {
  const spoken: Spoken = { broken: [...broken], held: [...held] };
  appendFileSync(spokenFile, `${JSON.stringify(spoken)}\n`);
});
