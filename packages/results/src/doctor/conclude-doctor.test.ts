import { describe, expect, test } from "vitest";
import { concludeDoctor } from "./conclude-doctor.ts";
import type { DoctorEnding } from "./conclude-doctor.ts";
import { doctorChecks } from "./doctor-report.ts";
import type { DoctorCheck } from "./doctor-report.ts";

const fine: DoctorCheck = { id: "reachable", status: "fine", found: "it is there" };
const note: DoctorCheck = { id: "clock", status: "note", found: "it is late", advice: "set it" };
const unknown: DoctorCheck = { id: "sharing", status: "could-not-tell", found: "nobody asked", advice: "ask" };
const problem: DoctorCheck = {
  id: "buffering",
  status: "problem",
  found: "the stream arrived at once",
  advice: "look",
};

describe("the outcome is", () => {
  test.each<{ name: string; ending: DoctorEnding; outcome: string; exitCode: number }>([
    {
      name: "passed without notes",
      ending: { checks: [fine], respondingInterface: "stream" },
      outcome: "passed",
      exitCode: 0,
    },
    {
      name: "passed with notes",
      ending: { checks: [note, unknown], respondingInterface: "stream" },
      outcome: "passed",
      exitCode: 0,
    },
    {
      name: "failed with a problem",
      ending: { checks: [fine, problem], respondingInterface: "stream" },
      outcome: "failed",
      exitCode: 1,
    },
    {
      name: "incomplete if no interface answered, whatever was found",
      ending: { checks: [problem], respondingInterface: "nothing" },
      outcome: "incomplete",
      exitCode: 3,
    },
    {
      name: "incomplete if no stream was seen",
      ending: { checks: [fine], respondingInterface: "conversations" },
      outcome: "incomplete",
      exitCode: 3,
    },
    {
      name: "failed if something blocks the streams",
      ending: { checks: [problem], respondingInterface: "conversations" },
      outcome: "failed",
      exitCode: 1,
    },
    {
      name: "incomplete if the time was up",
      ending: { checks: [fine], respondingInterface: "stream", stopReason: "deadline" },
      outcome: "incomplete",
      exitCode: 3,
    },
    {
      name: "failed if a problem was found before the time was up",
      ending: { checks: [problem], respondingInterface: "stream", stopReason: "deadline" },
      outcome: "failed",
      exitCode: 1,
    },
    {
      name: "interrupted, whatever was found",
      ending: { checks: [problem], respondingInterface: "stream", stopReason: "SIGINT" },
      outcome: "interrupted",
      exitCode: 130,
    },
    {
      name: "terminated",
      ending: { checks: [fine], respondingInterface: "nothing", stopReason: "SIGTERM" },
      outcome: "interrupted",
      exitCode: 143,
    },
  ])("$name", ({ ending, outcome, exitCode }) => {
    expect(concludeDoctor(ending)).toMatchObject({ outcome, exitCode });
  });
});

describe("the summary", () => {
  test("gives the fix of a problem, and names notes and unknowns", () => {
    expect(concludeDoctor({ checks: [fine, problem, note, unknown], respondingInterface: "stream" }).summary).toBe(
      "buffering: look; notes: clock; unknown: sharing",
    );
  });

  test("says why the API could not be checked", () => {
    expect(concludeDoctor({ checks: [fine, problem], respondingInterface: "nothing" }).summary).toBe(
      "the API could not be checked: buffering: the stream arrived at once",
    );
  });

  test("names a missing token as the reason", () => {
    const token: DoctorCheck = { id: "own-token", status: "could-not-tell", found: "none was given", advice: "set it" };
    expect(concludeDoctor({ checks: [fine, unknown, token], respondingInterface: "nothing" }).summary).toBe(
      "the API could not be checked: valid token: none was given; set it",
    );
  });

  test("names further problems after the first", () => {
    const other: DoctorCheck = { id: "redirects", status: "problem", found: "one", advice: "none" };
    expect(concludeDoctor({ checks: [problem, other], respondingInterface: "stream" }).summary).toBe(
      "buffering: look; then: redirects",
    );
  });

  test("begins with unknown buffering and its advice", () => {
    const quick: DoctorCheck = { id: "buffering", status: "could-not-tell", found: "too quick", advice: "ask" };
    expect(concludeDoctor({ checks: [fine, quick], respondingInterface: "stream" }).summary).toBe(
      "unknown whether streams are buffered: ask; no other problem found; unknown: buffering",
    );
  });
});

test("titles of checks are unique", () => {
  const titles = Object.values(doctorChecks).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});
