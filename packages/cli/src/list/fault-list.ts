import { listFaults } from "@assay/reference-server";
import type { FaultParameter, FaultSummary } from "@assay/reference-server";
import type { ListedRule } from "@assay/report";

/** More choices than these are left to `--json`. */
const maxChoices = 6;

function shownParameter([name, parameter]: readonly [string, FaultParameter]): string {
  if (!("choices" in parameter)) {
    return `${name}=${parameter.default}`;
  }
  const { choices } = parameter;
  return choices.length > maxChoices
    ? `${name}=${parameter.default} or ${choices.length - 1} others`
    : `${name}=${choices.join(" or ")}`;
}

const titleOf = ({ title, parameters }: FaultSummary): string => {
  const shown = Object.entries(parameters).map((entry) => shownParameter(entry));
  return shown.length === 0 ? title : `${title} (${shown.join(", ")})`;
};

/** The faults of the reference server in the shape of a list: id, the rule it attacks, what it does with which settings. */
export const faultList = (): readonly ListedRule[] =>
  listFaults().map((fault) => ({ id: fault.id, basis: fault.attacks ?? "none", title: titleOf(fault) }));
