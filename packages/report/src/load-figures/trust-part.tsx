import type { LoadResult, TrustCheck } from "@assay/results";
import type { JSX } from "preact";
import { Prose } from "../html/prose.tsx";
import { msText, shareText } from "../load/shown-number.ts";
import { generatorText } from "../load/trust-lines.ts";
import { shownText } from "../shown-text.ts";
import { DataTable } from "./data-table.tsx";

/** What stands across every figure of an invalid run. */
export const voidWords = "INVALID: not to be used";

const standing = ({ ok }: TrustCheck): string => {
  if (ok === undefined) {
    return "? not checked";
  }
  return ok ? "✓ ok" : "✗ not ok";
};

/** A value or limit of a check with its unit; a dash for none. */
const quantity = (value: number | undefined, unit: TrustCheck["unit"]): string => {
  switch (unit) {
    case "fraction":
      return shareText(value, 2).replace(" ", "\u00A0");
    case "ms":
      return value === undefined ? "-" : `${msText(value)}\u00A0ms`;
    case "count":
    case undefined:
      return value === undefined ? "-" : String(value);
  }
};

const ordered = (checks: readonly TrustCheck[]): readonly TrustCheck[] => [
  ...checks.filter(({ ok }) => ok === false),
  ...checks.filter(({ ok }) => ok === undefined),
  ...checks.filter(({ ok }) => ok === true),
];

/** Every condition under which the figures mean something, those not met first, and how the generator fared. */
export const TrustPart = ({ load }: { readonly load: LoadResult }): JSX.Element => {
  const { checks, valid } = load.trust;
  return (
    <>
      {valid ? null : (
        <div class="notice t-bad">
          <p>
            <b>✗ This run is invalid: its figures are shown to find out why, and are not to be used.</b> Nothing is said
            about speed.
          </p>
        </div>
      )}
      {checks.length === 0 ? (
        <p>? No condition was checked.</p>
      ) : (
        <DataTable
          caption="Conditions under which the figures mean something"
          head={["condition", "result", "value", "limit", "what was found"]}
          rows={ordered(checks).map((check) => [
            shownText(check.check, "name"),
            standing(check),
            quantity(check.value, check.unit),
            quantity(check.limit, check.unit),
            <Prose text={check.sentence} />,
          ])}
        />
      )}
      <p>{generatorText(load)}</p>
    </>
  );
};
