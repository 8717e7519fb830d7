import { expect, test } from "vitest";
import { renderUnspecifiedRegister } from "./render-unspecified.ts";

test("the page has everything outside of all rules, and what is accepted for each behaviour", () => {
  const page = renderUnspecifiedRegister(
    ["how results are ranked"],
    [
      {
        title: "Streams",
        unspecified: [
          {
            id: "stream/field-order",
            origin: "silent",
            unknown: "which field comes first",
            accepted: ["`event`", "`data`"],
            recorded: "an observation",
          },
        ],
      },
    ],
  );
  expect(page).toContain("\n- how results are ranked\n");
  expect(page).toContain("\nThe specifications leave 1 question open.");
  expect(page.slice(page.indexOf("## Streams"))).toBe(
    [
      "## Streams",
      "",
      "### `stream/field-order`",
      "",
      "Unknown: which field comes first. The specification does not mention this.",
      "",
      "- accepted: `event`",
      "- accepted: `data`",
      "- recorded: an observation",
      "",
    ].join("\n"),
  );
});
