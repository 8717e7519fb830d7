/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the name and value of the first of these variables that is set and not empty. */
export function findFirstSet(
  env: Environment,
  names: readonly string[],
): { readonly name: string; readonly value: string } | undefined {
  for (const name of names) {
    const value = env[name];
    if (value !== undefined && value !== "") {
      return { name, value };
    }
  }
  return undefined;
}
