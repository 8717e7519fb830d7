import type { ConversationLoad, LoadPlan } from "@assay/results";
import { createDefaultPlan } from "../src/default-plan.ts";
import { getScenarioFacts } from "../src/scenario-names.ts";
import type { ScenarioName } from "../src/scenario-names.ts";
import { checkedPlan } from "./check-plan.ts";
import type { PlanUse } from "./check-plan.ts";
import { parsedJson } from "./parsed-json.ts";
import { PlanError } from "./plan-error.ts";

/** Marker of questions if none is set. `assay cleanup` finds them by it. */
const defaultMarker = "assay-stand-alone";

/** Returns the default plan for a target. */
function buildDefaultPlan(name: ScenarioName, baseUrl: string): unknown {
  const { conversation, ...planMembers } = createDefaultPlan(name);
  const conversationPart: { conversation?: ConversationLoad } =
    conversation === undefined
      ? {}
      : { conversation: { ...conversation, marker: __ENV["ASSAY_MARKER"] ?? defaultMarker } };
  return { ...planMembers, ...conversationPart, targets: { base: baseUrl.replace(/\/+$/u, "") } };
}

/**
 * Reads the plan of this run: the file in `ASSAY_PLAN`, or the default plan for the target in `ASSAY_URL`. Call it in
 * k6's init code. Fails with a `PlanError` if neither is set, or if the plan is not JSON or has a wrong member.
 */
export function readPlan(name: ScenarioName): LoadPlan {
  return readPlanFor(getScenarioFacts(name), () => {
    const baseUrl = __ENV["ASSAY_URL"] ?? "";
    if (baseUrl === "") {
      throw new PlanError(
        "There is nothing to do: set ASSAY_URL to the address of the target, or ASSAY_PLAN to the path of a plan.",
      );
    }
    return buildDefaultPlan(name, baseUrl);
  });
}

/** Like `readPlan`, for a user's script. Without `ASSAY_PLAN` it uses the plan that `createDefault` returns, if given. */
export function readPlanFor(use: PlanUse, createDefault?: () => unknown): LoadPlan {
  const path = __ENV["ASSAY_PLAN"] ?? "";
  if (path === "") {
    if (createDefault === undefined) {
      throw new PlanError(
        "There is no plan: start the script with `assay load`, or set ASSAY_PLAN to the path of one.",
      );
    }
    return checkedPlan(createDefault(), use);
  }
  return checkedPlan(parsedJson(open(path)), use);
}
