import type { ConversationLoad, LoadPlan } from "@assay/results";
import { defaultPlan } from "../src/default-plan.ts";
import { scenarioFacts } from "../src/scenario-names.ts";
import type { ScenarioName } from "../src/scenario-names.ts";
import { checkPlan } from "./check-plan.ts";
import type { PlanUse } from "./check-plan.ts";
import { parsedJson } from "./parsed-json.ts";
import { PlanError } from "./plan-error.ts";

/** Marker of questions without a given one. `assay cleanup` finds them by it. */
const defaultMarker = "assay-stand-alone";

/** The default plan for an address. */
function buildDefaultPlan(name: ScenarioName, address: string): unknown {
  const { conversation, ...rest } = defaultPlan(name);
  const marked: { conversation?: ConversationLoad } =
    conversation === undefined
      ? {}
      : { conversation: { ...conversation, marker: __ENV["ASSAY_MARKER"] ?? defaultMarker } };
  return { ...rest, ...marked, targets: { base: address.replace(/\/+$/u, "") } };
}

/**
 * Reads the plan of this run: the file in `ASSAY_PLAN`, or the default plan for the address in `ASSAY_URL`. Call it in
 * k6's init code. Fails with a `PlanError` if neither is set, or if the plan is not JSON or has a wrong member.
 */
export function readPlan(name: ScenarioName): LoadPlan {
  return readPlanFor(scenarioFacts(name), () => {
    const address = __ENV["ASSAY_URL"] ?? "";
    if (address === "") {
      throw new PlanError(
        "There is nothing to do: set ASSAY_URL to the address of the target, or ASSAY_PLAN to the path of a plan.",
      );
    }
    return buildDefaultPlan(name, address);
  });
}

/** Like `readPlan`, for a user's script. Without `ASSAY_PLAN` it uses the plan that `other` returns, if any. */
export function readPlanFor(use: PlanUse, other?: () => unknown): LoadPlan {
  const path = __ENV["ASSAY_PLAN"] ?? "";
  if (path === "") {
    if (other === undefined) {
      throw new PlanError(
        "There is no plan: start the script with `assay load`, or set ASSAY_PLAN to the path of one.",
      );
    }
    return checkPlan(other(), use);
  }
  return checkPlan(parsedJson(open(path)), use);
}
