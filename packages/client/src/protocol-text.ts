import {
  apiReferencePath,
  currentOpenApi,
  currentPath,
  currentProcedures,
  errorCodes,
  eventNames,
  legacyOpenApi,
  legacyPath,
  listParameters,
  matchTypes,
  ruleIds,
  searchPath,
  searchStreamOpenApi,
  sortOrders,
  statsMembers,
} from "@assay/contract";

/** Everything that answers and reports are made of, in one text. */
const protocolText = JSON.stringify([
  [eventNames, matchTypes, searchPath, searchStreamOpenApi, legacyOpenApi, currentOpenApi],
  [legacyPath, currentPath, apiReferencePath, currentProcedures, listParameters, sortOrders, statsMembers, errorCodes],
  ruleIds,
]);

/**
 * Whether a value stands in the words of the protocol or the ids of rules, like `progress` or `repository`. Replacing it
 * wherever it appears would change what an answer says.
 */
export const isProtocolText = (value: string): boolean => protocolText.includes(value);
