import { createOutputCache } from "../service/ripgrep/output-cache.ts";

/**
 * Cached outputs of git and ripgrep, shared by all test servers of a worker. Tests that look at processes or change a repository do
 * not use it.
 */
export const outputs = createOutputCache();
