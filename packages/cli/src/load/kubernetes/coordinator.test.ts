import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Coordinator, startCoordinator } from "./coordinator.ts";
import { type CoordinatorState, parseCoordinatorState } from "./coordinator-state.ts";

const key = "key-of-the-load";
const opened: (Coordinator | Socket)[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) {
    await ("close" in each ? each.close() : each.destroy());
  }
});

async function start({ endsOnDistress = true, helloMs = 60_000 } = {}) {
  const states: CoordinatorState[] = [];
  const coordinator = await startCoordinator({
    port: 0,
    host: "127.0.0.1",
    key,
    endsOnDistress,
    onState: (state) => states.push(state),
    times: { intervalMs: 10, helloMs },
  });
  opened.push(coordinator);
  const connectOnly = async () => {
    const socket = connect(coordinator.port, "127.0.0.1").resume();
    opened.push(socket);
    await once(socket, "connect");
    return socket;
  };
  const join = async (hello: object = { key, name: "load-1" }) => {
    const socket = connect(coordinator.port, "127.0.0.1");
    opened.push(socket);
    await once(socket, "connect");
    const lines: unknown[] = [];
    createInterface({ input: socket }).on("line", (line) => lines.push(JSON.parse(line)));
    const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
    send({ hello });
    return { socket, lines, send };
  };
  const waitForState = (expected: Partial<CoordinatorState>) =>
    vi.waitFor(() => expect(states.at(-1)).toMatchObject(expected), { timeout: 10_000 });
  return { states, connectOnly, join, waitForState };
}

const wait = (assertion: () => void) => vi.waitFor(assertion, { timeout: 10_000 });

describe("the distress of a target", () => {
  test("that one runner reports reaches all others, and not itself", async () => {
    const { join, waitForState } = await start();
    const runners = [await join(), await join(), await join()];
    await waitForState({ runners: 3 });
    runners[0]?.send({ distress: { side: "base", pauseMs: 3000 } });
    const message = { distress: { side: "base", pauseMs: 3000 } };
    await wait(() =>
      expect(
        runners.map(({ lines }) => lines.filter((line) => JSON.stringify(line) === JSON.stringify(message)).length),
      ).toEqual([0, 1, 1]),
    );
    await waitForState({ distress: 1 });
  });

  test.each([
    ["of an unknown side", { side: "c", pauseMs: 1 }],
    ["without a side", { pauseMs: 1 }],
  ])("%s reaches nobody", async (_name, distress) => {
    const { join, waitForState } = await start();
    const [first, second] = [await join(), await join()];
    await waitForState({ runners: 2 });
    first.send({ distress });
    first.send({ distress: { side: "head", pauseMs: 1e9 } });
    await wait(() => expect(second.lines).toContainEqual({ distress: { side: "head", pauseMs: 60_000 } }));
    expect(JSON.stringify(second.lines)).not.toContain('"pauseMs":1}');
  });
});

describe("a target that cannot handle the load", () => {
  const fail = { counts: { ok: 0, failed: 12, lastFailure: "distress" } };

  test("ends all runners, by the failures of all together", async () => {
    const { join, waitForState } = await start();
    const runners = [await join(), await join()];
    await waitForState({ runners: 2 });
    const timer = setInterval(() => runners.forEach(({ send }) => send(fail)), 100);
    const end = expect.stringMatching(/^the target could not handle the load.*the last with 429 or 503$/u);
    await waitForState({ end });
    clearInterval(timer);
    for (const { lines } of runners) {
      await wait(() => expect(lines).toContainEqual({ end }));
    }
    const late = await join();
    await wait(() => expect(late.lines).toContainEqual({ end }));
  });

  test("does not end a breakpoint", async () => {
    const { join, waitForState, states } = await start({ endsOnDistress: false });
    const { send, lines } = await join();
    const timer = setInterval(() => send(fail), 100);
    await waitForState({ failed: 12 * 15 });
    clearInterval(timer);
    expect([states.at(-1)?.end, lines.filter((line) => JSON.stringify(line).includes("end"))]).toEqual([undefined, []]);
  });

  test("is one that answers no runner: the successes of another one count", async () => {
    const { join, waitForState, states } = await start();
    const [failing, succeeding] = [await join(), await join()];
    const timer = setInterval(() => {
      failing.send({ counts: { ok: 0, failed: 5, lastFailure: "timeout" } });
      succeeding.send({ counts: { ok: 1, failed: 0 } });
    }, 100);
    await waitForState({ ok: 15 });
    clearInterval(timer);
    expect(states.at(-1)).not.toHaveProperty("end");
  });
});

describe("a program without the key", () => {
  test.each([
    ["a wrong key", { key: "key-of-another" }],
    ["no key", {}],
    ["a key that is not a text", { key: 7 }],
  ])("that sends %s is not heard, and its connection is closed", async (_name, hello) => {
    const { join, waitForState } = await start();
    const runner = await join();
    await waitForState({ runners: 1 });
    const stranger = await join(hello);
    stranger.send({ distress: { side: "base", pauseMs: 5 } });
    await wait(() => expect(stranger.socket.closed).toBe(true));
    expect(JSON.stringify(runner.lines)).not.toContain("distress");
  });

  test("that sends nothing is closed", async () => {
    const { connectOnly } = await start({ helloMs: 50 });
    const socket = await connectOnly();
    await wait(() => expect(socket.closed).toBe(true));
  });
});

test("a runner that is killed does not end the coordinator", async () => {
  const { join, waitForState, states } = await start();
  const [killed, other] = [await join(), await join()];
  await waitForState({ runners: 2 });
  killed.socket.resetAndDestroy();
  await waitForState({ runners: 1 });
  other.send({ counts: { ok: 3, failed: 0 } });
  await waitForState({ ok: 3 });
  expect(states.at(-1)).toEqual({ ok: 3, failed: 0, runners: 1, distress: 0 });
});

test("runners get a sign of life", async () => {
  const { join } = await start();
  const { lines } = await join();
  await wait(() => expect(lines).toContainEqual({}));
});

test.each([
  ["not JSON", "assay: something", undefined],
  ["another object", '{"ok":1}', undefined],
  ["no object", "7", undefined],
  ["a state", '{"ok":1,"failed":2,"runners":3,"distress":4}', { ok: 1, failed: 2, runners: 3, distress: 4 }],
  [
    "a state with an end",
    '{"ok":1,"failed":2,"runners":3,"distress":4,"end":"overloaded"}\n',
    { ok: 1, failed: 2, runners: 3, distress: 4, end: "overloaded" },
  ],
])("a line of the coordinator that is %s", (_name, line, expected) => {
  expect(parseCoordinatorState(line)).toEqual(expected);
});
