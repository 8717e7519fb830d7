import { randomBytes } from "node:crypto";
import { seededHexDigits } from "./seeded-random.ts";

/** All tokens that the server issues, by kind. They belong to the main user unless noted. */
export interface IssuedTokens {
  /** Has all scopes. */
  readonly access: string;
  /** Has all scopes. Used with the scheme `Bearer`. */
  readonly oauth: string;
  /** Belongs to a second user and has all scopes. */
  readonly other: string;
  /** Valid, without any scope. */
  readonly noScope: string;
  /** Valid, without any scope. Used with the scheme `Bearer`. */
  readonly noScopeOauth: string;
  /** Has only the scope `externalapi:read`. */
  readonly read: string;
  /** Has only the scope `externalapi:write`. */
  readonly write: string;
  /** Belongs to a user whose quota is used up. */
  readonly quota: string;
  /** Belongs to a user whose entitlement is used up. */
  readonly entitlement: string;
}

const randomHexDigits = (): string => randomBytes(20).toString("hex");

/** Creates tokens that consist of `sgp_` or `sgo_` and 40 hex digits. They depend on the seed, or are random without one. */
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
