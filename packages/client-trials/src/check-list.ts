import type { Check } from "./check.ts";
import { pollingChecks } from "./checks/polling-checks.ts";
import { requestChecks } from "./checks/request-checks.ts";
import { searchChecks } from "./checks/search-checks.ts";
import { userChecks } from "./checks/user-checks.ts";

/** Every check, in the order of reports. Ids are unique. */
export const checks: readonly Check[] = [...requestChecks, ...searchChecks, ...pollingChecks, ...userChecks];
