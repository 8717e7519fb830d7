import type { Answer } from "./answer.ts";
import { arrayMember, firstMember, isBusy, isExhaustionCode, member, stringMember } from "@assay/reading";

/** Share of a positive quota after which no more questions are asked. */
const maxQuotaShare = 0.9;

function findExhaustionCode(json: unknown): string | undefined {
  const lastQuestion = arrayMember(json, "questions").at(-1);
  const texts = [
    stringMember(member(member(json, "state"), "error"), "code"),
    stringMember(member(member(lastQuestion, "state"), "error"), "code"),
    stringMember(member(lastQuestion, "error"), "kind"),
    stringMember(json, "code"),
  ];
  return texts.find((text) => isExhaustionCode(text));
}

function isQuotaNearlyUsed(json: unknown): boolean {
  const usage = firstMember(json, ["quota_usage", "quotaUsage"]);
  const usedQuota = member(usage, "total_quota");
  const limit = member(usage, "quota_limit");
  return typeof usedQuota === "number" && typeof limit === "number" && limit > 0 && usedQuota >= limit * maxQuotaShare;
}

/** The reason no more questions are asked. */
export interface Distress {
  readonly cause: "busy" | "quota";
  /** A clause. */
  readonly reason: string;
}

/**
 * Returns the reason to ask no more questions after an answer to the main user, if there is one: the target is overloaded, a quota or an
 * entitlement is used up, or 90 % of the quota is used. Lists are ignored, since they may show old states.
 */
export function findDistress({ draft, status, json }: Answer): Distress | undefined {
  const error = findExhaustionCode(json);
  if (isBusy(status) && !/quota|entitlement/iu.test(error ?? "")) {
    return { cause: "busy", reason: `the target answered with status ${status}` };
  }
  if (draft.operation === "list" && !isBusy(status)) {
    return undefined;
  }
  if (error !== undefined) {
    return { cause: "quota", reason: "a question ended because a quota, an entitlement or a rate limit is used up" };
  }
  return isQuotaNearlyUsed(json) ? { cause: "quota", reason: "90 % of the user's quota is used" } : undefined;
}
