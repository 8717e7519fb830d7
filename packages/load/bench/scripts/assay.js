// Our client: every event is checked, in Go.
import { read, settle } from "k6/x/assay";
import { nextStream, report } from "./common.js";

export { handleSummary, options } from "./common.js";

export default async function () {
  const { id, url } = nextStream();
  const { outcome, events, firstMatchMs, sendMs } = await read(url, {});
  report({ id, events, firstMatchMs: firstMatchMs - sendMs, problem: outcome === "ok" ? "" : outcome });
}

export const teardown = settle;
