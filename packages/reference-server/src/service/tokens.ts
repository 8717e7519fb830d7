import { randomBytes } from "node:crypto";
import { seededHexDigits } from "./seeded-random.ts";

/** Every token the server issues, by kind. Those that are not said to be somebody else's belong to the same user. */
export interface IssuedTokens {
  /** May do everything. */
  readonly access: string;
  /** May do everything; goes under the scheme `Bearer`. */
  readonly oauth: string;
  /** A second user's; may do everything. */
  readonly other: string;
  /** Valid, without any scope. */
  readonly noScope: string;
  /** Valid, without any scope; goes under the scheme `Bearer`. */
  readonly noScopeOauth: string;
  /** Has only the scope `externalapi:read`. */
  readonly read: string;
  /** Has only the scope `externalapi:write`. */
  readonly write: string;
  /** Of a user whose quota is used up. */
  readonly quota: string;
  /** Of a user whose entitlement is used up. */
  readonly entitlement: string;
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
    noScopeOauth: `sgo_${digits("noScopeOauth")}`,
    read: `sgp_${digits("read")}`,
    write: `sgp_${digits("write")}`,
    quota: `sgp_${digits("quota")}`,
    entitlement: `sgp_${digits("entitlement")}`,
  };
};
