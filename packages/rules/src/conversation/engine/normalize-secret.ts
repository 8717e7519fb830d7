/**
 * Normalizes a secret for comparison. If a secret is longer when encoded, for example in a URL, its replacement ends in
 * dots and is otherwise the same. It returns undefined if the secret is too short for its own replacement.
 */
export function normalizeSecret(secret: string): string | undefined {
  return /^x*$/.test(secret) ? undefined : secret.replace(/\.+$/, "");
}
