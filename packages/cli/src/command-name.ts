/** Returns the command that starts Assay. Under npx, which sets this variable, a shell does not find `assay` by itself. */
export const getCommandName = (env: NodeJS.ProcessEnv): string =>
  env["npm_command"] === "exec" ? "npx assay" : "assay";
