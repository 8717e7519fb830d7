// A search with `@microsoft/fetch-event-source` that checks the status, `done` and errors, and never retries.
import { fetchEventSource } from "@microsoft/fetch-event-source";

const { SRC_ENDPOINT, SRC_ACCESS_TOKEN, ASSAY_TASK, ASSAY_QUERY } = process.env;
if (ASSAY_TASK !== "search") {
  process.exit(77);
}

// The library is written for web pages and needs only this of one.
globalThis.window = globalThis;
globalThis.document = new EventTarget();

const leave = new AbortController();
let problem = "the stream ended early";

const read = {
  matches: (matches) => {
    for (const { path, lineMatches = [] } of matches) {
      console.log([path, ...lineMatches.map(({ line }) => `  ${line}`)].join("\n"));
    }
  },
  alert: ({ title }) => console.error(title),
  error: ({ message }) => {
    problem = `the result is not whole: ${message}`;
    leave.abort();
  },
  done: () => {
    problem = undefined;
    leave.abort();
  },
};

try {
  await fetchEventSource(`${SRC_ENDPOINT}/.api/search/stream?${new URLSearchParams({ q: ASSAY_QUERY })}`, {
    headers: { Authorization: `token ${SRC_ACCESS_TOKEN}` },
    openWhenHidden: true,
    signal: leave.signal,
    onopen: async (response) => {
      if (!response.ok) {
        throw new Error(`the service answered with status ${response.status}`);
      }
    },
    onmessage: ({ event, data }) => read[event]?.(JSON.parse(data)),
    onerror: (error) => {
      throw error;
    },
  });
} catch (error) {
  problem = error.message;
}
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
}
