/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of the first of these variables that is set and not empty, with its name. */
export function firstSet(
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
