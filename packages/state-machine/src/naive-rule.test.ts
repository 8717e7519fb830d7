import { expect, test } from "vitest";
import { chainMachine } from "./testing/chain-machine.ts";
import { drawing } from "./testing/drawing.ts";
import type { Draw } from "./testing/drawing.ts";
import type { ReadInterval } from "./testing/exhaustive-search.ts";
import { codesOf, read } from "./testing/observations.ts";

/** Reads of four pollers from a server that passes through four states. Each answer takes some time in both directions. */
function honestRun(draw: Draw): readonly ReadInterval[] {
  const changes = [0, 20 + draw(50), 80 + draw(50), 140 + draw(50)];
  const reads: ReadInterval[] = [];
  for (const start of Array.from({ length: 4 }, () => draw(10))) {
    let sent = start;
    while (sent < 220) {
      const at = sent + 1 + draw(15);
      const ended = at + 1 + draw(15);
      reads.push({ sent, ended, state: changes.filter((change) => change <= at).length - 1 });
      sent = ended + 5 + draw(10);
    }
  }
  return reads;
}

/** The naive rule: no answer may show an earlier state than the answer received before it. */
const naiveRuleFails = (reads: readonly ReadInterval[]): boolean =>
  reads
    .toSorted((a, b) => a.ended - b.ended)
    .some(({ state }, index, received) => state < (received[index - 1]?.state ?? 0));

test("comparing with the answer received before fails a correct server in a third of all runs; this checker never does", () => {
  const draw = drawing(12_345);
  const machine = chainMachine(4);
  const runs = Array.from({ length: 20_000 }, () => honestRun(draw));
  const accused = runs.filter(naiveRuleFails);
  expect(accused.length / runs.length).toBeCloseTo(0.346, 2);
  const findings = accused.slice(0, 1000).flatMap((reads) =>
    codesOf(
      machine,
      reads.map(({ sent, ended, state }, index) => read([sent, ended], `s${state}`, { exchange: String(index) })),
    ),
  );
  expect(findings).toEqual([]);
});
