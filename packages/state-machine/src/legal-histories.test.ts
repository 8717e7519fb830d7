import { repetitions } from "@assay/tools/proving";
import { currentMachine, legacyMachine } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawing, shuffled } from "./testing/drawing.ts";
import { legalHistory } from "./testing/model-server.ts";
import { reportOn } from "./testing/observations.ts";

const machines = [{ machine: legacyMachine }, { machine: currentMachine }];

describe.each(machines)("a $machine.interface server without a fault", ({ machine }) => {
  test.each([{ hasExcuses: false }, { hasExcuses: true }])(
    "is never accused (excuses: $hasExcuses)",
    ({ hasExcuses }) => {
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const history = legalHistory({ machine, draw: drawing(seed), hasExcuses });
          const findings = reportOn(machine, history).findings.filter(({ code }) => code !== "tolerated-transition");
          expect(findings).toEqual([]);
        }),
        { numRuns: repetitions(250, 1000) },
      );
    },
  );

  test("is observed: its histories could have shown almost everything", () => {
    const draw = drawing(7);
    const totals = new Map<string, number>();
    for (let run = 0; run < 50; run += 1) {
      const { observations } = reportOn(machine, legalHistory({ machine, draw, hasExcuses: false }));
      for (const [code, times] of Object.entries(observations)) {
        totals.set(code, (totals.get(code) ?? 0) + times);
      }
    }
    const never = [...totals].flatMap(([code, times]) => (times > 100 ? [] : [code]));
    // Every two states of each table are connected, and the legacy table has a single end, so no history shows such a pair.
    const impossible = {
      legacy: ["unlisted-transition", "incomparable-ends"],
      current: ["unlisted-transition", "question-duplicated", "question-id-changed"],
    };
    expect(never.toSorted()).toEqual(impossible[machine.interface].toSorted());
  });

  test("gets the same report whatever the order of observing", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (seed, order) => {
        const history = legalHistory({ machine, draw: drawing(seed), hasExcuses: true });
        expect(reportOn(machine, shuffled(history, drawing(order)))).toEqual(reportOn(machine, history));
      }),
      { numRuns: repetitions(75, 300) },
    );
  });

  test("gets the same report whether equal responses are observed together or apart", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawing(seed);
        const history = legalHistory({ machine, draw, hasExcuses: true }).flatMap((observation, index) =>
          Array.from({ length: 4 }, (_, copy) => ({
            ...observation,
            exchange: `${index}-${copy}`,
            session: `s${copy}`,
          })),
        );
        const apart = [0, 1, 2, 3].flatMap((copy) => history.filter((_, index) => index % 4 === copy));
        expect(reportOn(machine, apart)).toEqual(reportOn(machine, history));
      }),
      { numRuns: repetitions(75, 300) },
    );
  });

  test("gets the same findings if everything is observed twice", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const history = legalHistory({ machine, draw: drawing(seed), hasExcuses: true });
        const { findings, staleMicros } = reportOn(machine, history);
        expect(reportOn(machine, [...history, ...history])).toMatchObject({ findings, staleMicros });
      }),
      { numRuns: repetitions(50, 200) },
    );
  });
});
