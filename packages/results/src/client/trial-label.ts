import type { ClientTrial } from "./client-report.ts";

/** Returns the name of a trial, with its interface if the trial has several: `ordinary-search`, `cancel (legacy)`. */
export const formatTrialLabel = ({ trial, interface: name }: Pick<ClientTrial, "trial" | "interface">): string =>
  name === "stream" ? trial : `${trial} (${name})`;
