import { expect, test } from "vitest";
import { createProcessPool } from "./process-pool.ts";

const patient = new AbortController().signal;

test("a request waits until a place is free, and requests are served in order", async () => {
  const pool = createProcessPool(1);
  const order: string[] = [];
  const release = await pool.acquire(patient);
  const passThrough = async (name: string): Promise<void> => {
    const free = await pool.acquire(patient);
    order.push(name);
    free();
  };
  const others = [passThrough("second"), passThrough("third")];
  expect(order).toEqual([]);
  release();
  await Promise.all(others);
  expect(order).toEqual(["second", "third"]);
});

test("an aborted request leaves the queue", async () => {
  const pool = createProcessPool(1);
  const release = await pool.acquire(patient);
  const leave = new AbortController();
  const waiting = pool.acquire(leave.signal);
  leave.abort();
  await expect(waiting).rejects.toThrow(/abort/iu);
  release();
  await expect(pool.acquire(patient)).resolves.toBeTypeOf("function");
});

test("a place released twice is free once", async () => {
  const pool = createProcessPool(1);
  const release = await pool.acquire(patient);
  release();
  release();
  await pool.acquire(patient);
  const leave = new AbortController();
  const waiting = pool.acquire(leave.signal);
  leave.abort();
  await expect(waiting).rejects.toThrow(/abort/iu);
});
