/**
 * A secret in comparable form. The replacement of a secret that was longer when encoded, as in an address, ends in
 * dots and is otherwise the same. Undefined if the secret is too short for its own replacement.
 */
export function secretText(written: string): string | undefined {
  return /^x*$/.test(written) ? undefined : written.replace(/\.+$/, "");
}
