/** How the command is called again: npm says whether it was found by npx, without which a shell finds no `assay` in a project. */
export const calledAs = (env: NodeJS.ProcessEnv): string => (env["npm_command"] === "exec" ? "npx assay" : "assay");
