import type { Answer } from "./answer.ts";
import { arrayMember, firstMember, isBusy, isUsedUp, member, stringMember } from "@assay/reading";

/** How much of a positive quota may be used before no more is asked. */
const usableShare = 0.9;

function errorIn(json: unknown): string | undefined {
  const lastQuestion = arrayMember(json, "questions").at(-1);
  const texts = [
    stringMember(member(member(json, "state"), "error"), "code"),
    stringMember(member(member(lastQuestion, "state"), "error"), "code"),
    stringMember(member(lastQuestion, "error"), "kind"),
    stringMember(json, "code"),
  ];
  return texts.find((text) => isUsedUp(text));
}

function isQuotaNearlyUsed(json: unknown): boolean {
  const usage = firstMember(json, ["quota_usage", "quotaUsage"]);
  const used = member(usage, "total_quota");
  const limit = member(usage, "quota_limit");
  return typeof used === "number" && typeof limit === "number" && limit > 0 && used >= limit * usableShare;
}

/** Why no more questions are asked. */
export interface Distress {
  readonly cause: "busy" | "quota";
  /** A clause. */
  readonly reason: string;
}

/**
 * Why no more questions are asked after this answer to the main user, or undefined: the target is overloaded, a quota or an
 * entitlement is used up, or the quota is within a tenth of its limit. Lists are not looked at: what they show may be long
 * past.
 */
export function distressIn({ draft, status, json }: Answer): Distress | undefined {
  const error = errorIn(json);
  if (isBusy(status) && !/quota|entitlement/iu.test(error ?? "")) {
    return { cause: "busy", reason: `the target answered with status ${status}` };
  }
  if (draft.operation === "list" && !isBusy(status)) {
    return undefined;
  }
  if (error !== undefined) {
    return { cause: "quota", reason: "a question ended because a quota, an entitlement or a rate limit is used up" };
  }
  return isQuotaNearlyUsed(json)
    ? { cause: "quota", reason: "the quota of the user is used up but for a tenth" }
    : undefined;
}
