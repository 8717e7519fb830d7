/**
 * A secret as rules compare it: the replacement of one that was longer in its encoding, as in an address, ends in dots, and is the
 * same but for these. Undefined for what is too short to have a replacement of its own.
 */
export function secretText(written: string): string | undefined {
  return /^x*$/.test(written) ? undefined : written.replace(/\.+$/, "");
}
