export type { AccessMode } from "./access.ts";
export { type FaultChoice, type FaultId, type FaultSummary, faults, listFaults } from "./faults/fault-registry.ts";
export type { Fault, FaultParameter } from "./faults/fault.ts";
export type { JournalEntry } from "./journal.ts";
export { type LatencyName, latencyNames } from "./latency.ts";
export type { RunningServer, ServerOptions } from "./server-options.ts";
export { ServerStartError, type ServerStartErrorCode, serverStartErrorCodes } from "./server-start-error.ts";
export { startServer } from "./start-server.ts";
