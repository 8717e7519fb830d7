/** An object type whose members that may be undefined are optional instead. */
export type Defined<Members extends object> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<Members[Name], undefined>;
};

/**
 * Returns the members that are not undefined. Spread the result, because an absent member differs from an undefined one.
 */
export function defined<Members extends object>(members: Members): Defined<Members>;
export function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
