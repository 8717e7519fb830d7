import { randomBytes } from "node:crypto";
import { seededHexDigits } from "./seeded-random.ts";

/** Every token the server issues, by kind: `noScope` is valid but lacks the scope that searching needs. */
export interface IssuedTokens {
  readonly access: string;
  readonly oauth: string;
  readonly other: string;
  readonly noScope: string;
}

const randomHexDigits = (): string => randomBytes(20).toString("hex");

/** Tokens of the shape `sgp_` or `sgo_` and 40 hex digits; the same ones for the same seed, fresh ones without a seed. */
export const issueTokens = (seed: number | undefined): IssuedTokens => {
  const digits = (label: string): string =>
    seed === undefined ? randomHexDigits() : seededHexDigits(seed, { label: `token/${label}`, digits: 40 });
  return {
    access: `sgp_${digits("access")}`,
    oauth: `sgo_${digits("oauth")}`,
    other: `sgp_${digits("other")}`,
    noScope: `sgp_${digits("noScope")}`,
  };
};
