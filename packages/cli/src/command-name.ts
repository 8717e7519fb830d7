/** Returns the command that starts Assay. npx sets `npm_command` to `exec`. `assay` is then not on the `PATH`. */
export const getCommandName = (env: NodeJS.ProcessEnv): string =>
  env["npm_command"] === "exec" ? "npx assay" : "assay";
