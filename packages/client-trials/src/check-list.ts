import type { Check } from "./check.ts";
import { pollingChecks } from "./checks/polling-checks.ts";
import { requestChecks } from "./checks/request-checks.ts";
import { searchChecks } from "./checks/search-checks.ts";
import { userChecks } from "./checks/user-checks.ts";

/** Every check, each with an id of its own, in the order in which reports show them. */
export const checks: readonly Check[] = [...requestChecks, ...searchChecks, ...pollingChecks, ...userChecks];
