import type { RuleRow } from "../../rule-record.ts";

/** Who may search. */
export const accessRules = {
  "stream/access-token-is-accepted": {
    basis: "stated",
    title: "A search with a valid access token in the scheme `token` is answered",
    requirements: ["search-stream#5.1-access-token"],
    searches: ["access"],
  },
  "stream/oauth-token-is-accepted": {
    basis: "stated",
    title: "A search with a valid OAuth token in the scheme `Bearer` is answered",
    requirements: ["search-stream#5.2-oauth-token"],
    searches: ["access"],
    probes: ["oauth-token"],
  },
  "stream/missing-token-is-refused": {
    basis: "derived",
    title: "A target that is not public returns no matches for a search without a token",
    why: "Anyone who reaches the address can read private code.",
    requirements: ["search-stream#5.4-public-instance"],
    searches: ["access"],
    probes: ["no-token"],
    likelyCause: "Anonymous access is allowed: check the access settings of the instance.",
  },
  "stream/invalid-token-is-refused": {
    basis: "derived",
    title: "A target that is not public returns no matches for a token that was never issued",
    why: "Any made-up token opens private code, and a revoked one still works.",
    requirements: [
      "search-stream#5.1-access-token",
      "search-stream#5.2-oauth-token",
      "search-stream#5.4-public-instance",
    ],
    searches: ["access"],
    probes: ["invalid-token"],
  },
  "stream/anonymous-search-is-accepted": {
    basis: "stated",
    title: "A public target answers a search without a token",
    requirements: ["search-stream#5.4-public-instance"],
    searches: ["access"],
    probes: ["no-token"],
  },
  "stream/scope-is-required": {
    basis: "stated",
    title: "A token without the scope `user:all` gets no matches",
    requirements: ["search-stream#5.3-scope"],
    searches: ["access"],
    probes: ["unscoped-token"],
  },
} as const satisfies Readonly<Record<string, RuleRow>>;
