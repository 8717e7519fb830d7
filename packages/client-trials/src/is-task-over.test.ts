import type { JournalCall, JournalEntry } from "@assay/reference-server";
import { expect, test } from "vitest";
import { isTaskOver } from "./is-task-over.ts";
import { trials } from "./trial-list.ts";
import type { Trial } from "./trial.ts";

const entry = (other: Partial<JournalEntry> = {}): JournalEntry => ({
  id: 1,
  method: "GET",
  url: "/.api/search/stream?q=x",
  at: 0,
  faultApplied: false,
  end: "finished",
  request: { connection: 1, headerNames: [], headers: {} },
  status: 200,
  bytesSent: 0,
  micros: { arrived: 0 },
  ...other,
});

const call = (
  operation: JournalCall["operation"],
  { state, ...other }: Partial<JournalEntry> & { readonly state?: string } = {},
): JournalEntry =>
  entry({
    url: "/.api/deepsearch/v1",
    call: { interface: "legacy", operation, bodyBytes: 0, ...(state === undefined ? {} : { shown: { state } }) },
    ...other,
  });

const elsewhere = entry({ url: "/.api/client-config", status: 404 });

test.each<{ name: string; trial: string; requests: readonly JournalEntry[]; isOver: boolean }>([
  { name: "there was no request", trial: "ordinary-search", requests: [], isOver: false },
  { name: "a search was answered", trial: "ordinary-search", requests: [entry()], isOver: true },
  { name: "a search is being answered", trial: "ordinary-search", requests: [entry({ end: "open" })], isOver: false },
  { name: "a search was refused", trial: "refused-token", requests: [entry({ status: 401 })], isOver: true },
  { name: "a search was refused temporarily", trial: "unavailable", requests: [entry({ status: 503 })], isOver: false },
  {
    name: "a HEAD request for a search was sent",
    trial: "ordinary-search",
    requests: [entry({ method: "HEAD" })],
    isOver: false,
  },
  { name: "another request came first", trial: "ordinary-search", requests: [elsewhere], isOver: false },
  {
    name: "another request came too",
    trial: "ordinary-search",
    requests: [elsewhere, entry()],
    isOver: true,
  },
  {
    name: "a question is in progress",
    trial: "polling-completed",
    requests: [call("create", { state: "processing" })],
    isOver: false,
  },
  {
    name: "a question is answered",
    trial: "polling-completed",
    requests: [call("create", { state: "processing" }), call("get", { state: "completed" })],
    isOver: true,
  },
  {
    name: "a question was refused",
    trial: "polling-completed",
    requests: [call("create", { status: 400 })],
    isOver: true,
  },
  {
    name: "a list was refused before the question",
    trial: "polling-completed",
    requests: [call("list", { status: 403 }), elsewhere],
    isOver: false,
  },
  {
    name: "a question was cancelled",
    trial: "cancel",
    requests: [call("cancel", { state: "canceled" })],
    isOver: true,
  },
])("whether a task is over when $name: $isOver", ({ isOver, requests, trial }) => {
  const about: readonly Trial[] = trials.filter(({ name }) => name === trial);
  expect(about.map((one) => isTaskOver(one, requests))).toEqual(about.map(() => isOver));
});
