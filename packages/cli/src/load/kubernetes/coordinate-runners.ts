import { HarnessError } from "@assay/contract";
import { once } from "node:events";
import { exitCodeOf } from "@assay/results";
import type { CommandContext } from "../../command-context.ts";
import { coordinatorKeyName } from "./coordinator-state.ts";
import { startCoordinator } from "./coordinator.ts";

/** Coordinates the runners of a load until a signal ends it. Prints its state as a line of JSON each second. Returns the exit code. */
export async function coordinateRunners(
  { port, distress }: { readonly port: number; readonly distress: boolean },
  { env, out, signal }: Pick<CommandContext, "env" | "out" | "signal">,
): Promise<number> {
  const key = env[coordinatorKeyName] ?? "";
  if (key === "") {
    throw new HarnessError("usage", `the key of the runners is missing; set ${coordinatorKeyName}`);
  }
  const coordinator = await startCoordinator({
    port,
    key,
    endsOnDistress: distress,
    onState: (state) => out(`${JSON.stringify(state)}\n`),
  });
  if (!signal.aborted) {
    await once(signal, "abort");
  }
  await coordinator.close();
  return exitCodeOf("passed");
}
