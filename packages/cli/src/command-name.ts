/** Returns the command that starts Assay. npx sets `npm_command`; in that case `assay` is not on the `PATH`. */
export const getCommandName = (env: NodeJS.ProcessEnv): string =>
  env["npm_command"] === "exec" ? "npx assay" : "assay";
