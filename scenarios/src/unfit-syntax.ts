/**
 * Syntax that the JavaScript of k6 does not know, and that the bundler does not write in another way; undefined for none. Given
 * such a script as TypeScript, k6 does not complain but works for ever.
 */
export async function unfitSyntax(code: string): Promise<string | undefined> {
  // Loaded when there is something to read: no other command needs it.
  const { parseSync, Visitor } = await import("rolldown/utils");
  const found = new Set<string>();
  new Visitor({
    ForOfStatement: ({ await: isAwaiting }) => void (isAwaiting && found.add("for await")),
    FunctionDeclaration: ({ async, generator }) => void (async && generator && found.add("async function*")),
    FunctionExpression: ({ async, generator }) => void (async && generator && found.add("async function*")),
    VariableDeclaration: ({ kind }) => void (kind.endsWith("using") && found.add(kind)),
    Decorator: () => void found.add("a decorator"),
    ImportExpression: () => void found.add("import()"),
  }).visit(parseSync("scenario.js", code).program);
  return [...found][0];
}
