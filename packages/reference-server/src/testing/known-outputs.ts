import { createOutputMemory } from "../service/ripgrep/output-memory.ts";

/**
 * What git and ripgrep printed about the repositories of tests: shared by all servers of a worker whose repositories stay as they
 * are. A test that looks at processes, or changes a repository under its server, starts that without it.
 */
export const outputs = createOutputMemory();
