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

/** All fixed words of responses and reports, in one string. */
const protocolText = JSON.stringify([
  [eventNames, matchTypes, searchPath, searchStreamOpenApi, legacyOpenApi, currentOpenApi],
  [legacyPath, currentPath, apiReferencePath, currentProcedures, listParameters, sortOrders, statsMembers, errorCodes],
  ruleIds,
]);

/**
 * Reports whether a value is part of a protocol word or a rule id, such as `progress` or `repository`. Redacting it everywhere would change
 * the meaning of a response.
 */
export const isProtocolText = (value: string): boolean => protocolText.includes(value);
