import type { ClientTrial } from "./client-report.ts";

/** Name of a trial with its interface where there are several: `ordinary-search`, `cancel (legacy)`. */
export const trialLabel = ({ trial, interface: name }: Pick<ClientTrial, "trial" | "interface">): string =>
  name === "stream" ? trial : `${trial} (${name})`;
