import { quoteForShell } from "@assay/evidence";
import type { RunResult } from "@assay/results";
import { escapeForDisplay } from "./shown-text.ts";

/** Reports whether a run ended before any rule was tested. Reports then show only the cause. */
export const isEarlyFailure = ({ outcome, verdicts }: Pick<RunResult, "outcome" | "verdicts">): boolean =>
  outcome === "incomplete" &&
  verdicts.every(({ verdict: { outcome: end } }) => end !== "passed" && end !== "failed" && end !== "warned");

/** A step to find out why no rule was tested. `command` is one line of shell. */
export interface DiagnosticStep {
  readonly text: string;
  readonly command?: string;
}

const quoteUrl = (text: string): string => quoteForShell(escapeForDisplay(text, "url"));

/** Returns the steps to try after an early failure, in order. */
export const listDiagnosticSteps = ({
  incomplete,
  run,
}: Pick<RunResult, "incomplete" | "run">): readonly DiagnosticStep[] => {
  const codes = new Set(incomplete.map(({ code }) => code));
  return [
    ...(codes.has("unreachable")
      ? [{ text: "Check that a server responds at this address:", command: `curl -v ${quoteUrl(run.target)}` }]
      : []),
    ...(codes.has("authentication-refused")
      ? [{ text: "Check that the token is valid and belongs to this instance." }]
      : []),
    ...(codes.has("not-the-api")
      ? [
          {
            text: "Check that the address is the base URL of the instance, and that the response does not come from a login page or proxy.",
          },
        ]
      : []),
    {
      text: "Check name, connection, TLS, proxy and token one by one:",
      command: run.embedded ? "npx assay doctor" : `npx assay doctor --url ${quoteUrl(run.target)}`,
    },
  ];
};
