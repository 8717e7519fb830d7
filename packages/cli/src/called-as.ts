/** How to call the command again. npm sets the variable under npx, and then a shell does not find `assay` by itself. */
export const calledAs = (env: NodeJS.ProcessEnv): string => (env["npm_command"] === "exec" ? "npx assay" : "assay");
