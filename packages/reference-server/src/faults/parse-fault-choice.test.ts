import { describe, expect, test } from "vitest";
import { chooseFault, faults } from "./fault-registry.ts";
import { parseFaultChoice } from "./parse-fault-choice.ts";

describe("a fault as text", () => {
  test.each([
    { text: "no-done", choice: { id: "no-done" } },
    { text: " no-done ", choice: { id: "no-done" } },
    { text: "cl-too-many:more=3", choice: { id: "cl-too-many", params: { more: 3 } } },
    {
      text: "parameter-refused:name=cl,how=redirect",
      choice: { id: "parameter-refused", params: { name: "cl", how: "redirect" } },
    },
    {
      text: "parameter-refused : how = status-400 , name = v",
      choice: { id: "parameter-refused", params: { how: "status-400", name: "v" } },
    },
    {
      text: "wrong-content-type:type=text/plain; charset=utf-8",
      choice: { id: "wrong-content-type", params: { type: "text/plain; charset=utf-8" } },
    },
  ])("$text is read", ({ choice, text }) => {
    expect(parseFaultChoice(text)).toEqual(choice);
  });

  test.each([
    { text: "", code: "unknown-fault", says: /there is no fault ""/u },
    { text: "no-don", code: "unknown-fault", says: /nearest is "no-done"/u },
    { text: "no-don:more=3", code: "unknown-fault", says: /nearest is "no-done"/u },
    { text: "toString", code: "unknown-fault", says: /there is no fault "toString"/u },
    { text: "no-done:", code: "invalid-fault-parameter", says: /"" is not a parameter of the fault no-done; write/u },
    { text: "no-done:more", code: "invalid-fault-parameter", says: /"more" is not a parameter of the fault no-done/u },
    { text: "no-done:=3", code: "invalid-fault-parameter", says: /"=3" is not a parameter/u },
    { text: "no-done:more=3", code: "unknown-fault-parameter", says: /its parameters are with/u },
    { text: "cl-too-many:less=3", code: "unknown-fault-parameter", says: /its parameters are more, with/u },
    { text: "cl-too-many:__proto__=3", code: "unknown-fault-parameter", says: /its parameters are more, with/u },
    { text: "cl-too-many:more=a", code: "invalid-fault-parameter", says: /a whole number, 0 or more/u },
    { text: "cl-too-many:more=", code: "invalid-fault-parameter", says: /a whole number, 0 or more/u },
    { text: "cl-too-many:more=1,more=2", code: "invalid-fault-parameter", says: /is set twice/u },
    { text: "cl-too-many:more=1,", code: "invalid-fault-parameter", says: /"" is not a parameter/u },
    { text: "cl-one-sided:side=both", code: "invalid-fault-parameter", says: /one of before, after/u },
    { text: `no-done:${"x".repeat(500)}`, code: "invalid-fault-parameter", says: /^.{0,250}$/u },
  ])("$text is refused in one sentence", ({ code, says, text }) => {
    expect(() => parseFaultChoice(text)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(says) }),
    );
    expect(() => parseFaultChoice(text)).toThrow(/^[a-z-]+: [^\n]*\.$/u);
  });
});

const settings = faults.flatMap(({ id, parameters }) =>
  Object.entries(parameters).flatMap(([name, parameter]) =>
    ("choices" in parameter ? parameter.choices : [parameter.default, 0]).map((value) => ({ id, name, value })),
  ),
);

test("every choice of every fault can be written as text", () => {
  const read = settings.map(({ id, name, value }) => parseFaultChoice(`${id}:${name}=${value}`));
  expect(read).toEqual(settings.map(({ id, name, value }) => ({ id, params: { [name]: value } })));
});

test("a parsed choice is accepted by the server", () => {
  const { values } = chooseFault(parseFaultChoice("parameter-refused:how=redirect"));
  expect(values).toEqual({ name: "cm", how: "redirect" });
});

test("every default is one of the choices", () => {
  const defaults = faults.flatMap(({ id, parameters }) =>
    Object.entries(parameters).map(([name, parameter]) => ({ id, name, value: parameter.default })),
  );
  const known = new Set(settings.map((setting) => JSON.stringify(setting)));
  expect(defaults.filter((one) => !known.has(JSON.stringify(one)))).toEqual([]);
});
