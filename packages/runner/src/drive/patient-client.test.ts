import { expect, test } from "vitest";
import { draftOf, type ExchangeSketch, goodStream } from "../testing/recorded.ts";
import { createPatientClient } from "./patient-client.ts";

const late: ExchangeSketch = { status: 0, failure: { code: "first-byte-timeout", message: "no head in time" } };
const cut: ExchangeSketch = { status: 200, failure: { code: "total-timeout", message: "no end in time" } };
const reset: ExchangeSketch = { status: 0, failure: { code: "reset", message: "reset" } };
const good: ExchangeSketch = { body: goodStream };

/** Sends searches with these answers in sequence. Returns the timeout of each for the response head. */
async function waits(...answers: readonly ExchangeSketch[]) {
  const waited: (number | undefined)[] = [];
  const next = answers.values();
  const answer = ({ firstByteTimeoutMs }: { readonly firstByteTimeoutMs?: number }) => {
    waited.push(firstByteTimeoutMs);
    return Promise.resolve(draftOf(next.next().value ?? good));
  };
  const client = createPatientClient({ search: answer, call: answer, describe: (request = {}) => answer(request) });
  for (const _ of answers) {
    await client.search({ parameters: [], credential: "none" });
  }
  return { waited, isUnanswered: client.isTargetUnresponsive };
}

test("after a timeout, later requests have a timeout of five seconds until a response arrives", async () => {
  expect(await waits(good, late, late, reset, good, good)).toEqual({
    waited: [undefined, undefined, 5000, 5000, 5000, undefined],
    isUnanswered: false,
  });
});

test("a response that is cut off counts as one, and a connection that is reset changes nothing", async () => {
  expect(await waits(cut, reset, late)).toEqual({ waited: [undefined, undefined, undefined], isUnanswered: true });
});

test("after a stream was left open, the wait after `done` is half a second until one ends", async () => {
  const open = { ...draftOf(good), end: { kind: "complete", closedBy: "client" } } as const;
  const refused = draftOf({ status: 401 });
  const answers = [draftOf(good), open, refused, open, draftOf({ ...good, failure: { code: "reset", message: "" } })];
  const next = [...answers, draftOf(good), draftOf(good)].values();
  const waited: (number | undefined)[] = [];
  const sender = { call: () => Promise.reject(new Error()), describe: () => Promise.reject(new Error()) };
  const client = createPatientClient({
    ...sender,
    search({ lingerMs }) {
      waited.push(lingerMs);
      return Promise.resolve(next.next().value ?? draftOf(good));
    },
  });
  for (let sent = 0; sent < 7; sent += 1) {
    await client.search({ parameters: [], credential: "none" });
  }
  expect(waited).toEqual([undefined, undefined, 500, 500, 500, 500, undefined]);
});
