import type { ConversationLoad, LoadPlan } from "@assay/results";
import { defaultPlan } from "../src/default-plan.ts";
import { scenarioFacts } from "../src/scenario-names.ts";
import type { ScenarioName } from "../src/scenario-names.ts";
import { checkedPlan } from "./check-plan.ts";
import type { PlanUse } from "./check-plan.ts";
import { parsedJson } from "./parsed-json.ts";
import { PlanError } from "./plan-error.ts";

/** Whose questions these are when nobody said; cleaning up finds them by it. */
const standAloneMarker = "assay-stand-alone";

/** What k6 does by itself when it is only told an address. */
function planFor(name: ScenarioName, address: string): unknown {
  const { conversation, ...rest } = defaultPlan(name);
  const marked: { conversation?: ConversationLoad } =
    conversation === undefined
      ? {}
      : { conversation: { ...conversation, marker: __ENV["ASSAY_MARKER"] ?? standAloneMarker } };
  return { ...rest, ...marked, targets: { a: address.replace(/\/+$/u, "") } };
}

/**
 * The plan of this run: the file that `ASSAY_PLAN` names, or the usual plan of the scenario for the address in `ASSAY_URL`. To be
 * called in k6's init code. Fails with a `PlanError`: neither is set, it is no JSON, or something in it does not fit.
 */
export function readPlan(name: ScenarioName): LoadPlan {
  return readPlanFor(scenarioFacts(name), () => {
    const address = __ENV["ASSAY_URL"] ?? "";
    if (address === "") {
      throw new PlanError(
        "There is nothing to do: set ASSAY_URL to the address of the target, or ASSAY_PLAN to the path of a plan.",
      );
    }
    return planFor(name, address);
  });
}

/** The same for a script of one's own, which only ever follows the plan in `ASSAY_PLAN` unless it brings another one. */
export function readPlanFor(use: PlanUse, other?: () => unknown): LoadPlan {
  const path = __ENV["ASSAY_PLAN"] ?? "";
  if (path === "") {
    if (other === undefined) {
      throw new PlanError(
        "There is no plan: start the script with `assay load`, or set ASSAY_PLAN to the path of one.",
      );
    }
    return checkedPlan(other(), use);
  }
  return checkedPlan(parsedJson(open(path)), use);
}
