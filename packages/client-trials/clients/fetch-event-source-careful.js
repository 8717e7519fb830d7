// A search with `@microsoft/fetch-event-source` that checks the status, `done` and errors, and never retries.
import { fetchEventSource } from "@microsoft/fetch-event-source";

const { SRC_ENDPOINT, SRC_ACCESS_TOKEN, ASSAY_TASK, ASSAY_QUERY } = process.env;
if (ASSAY_TASK !== "search") {
  process.exit(77);
}

// The library is written for web pages and needs only these globals.
globalThis.window = globalThis;
globalThis.document = new EventTarget();

const controller = new AbortController();
let problem = "the stream ended early";

const read = {
  matches: (matches) => {
    for (const { path, lineMatches = [] } of matches) {
      console.log([path, ...lineMatches.map(({ line }) => `  ${line}`)].join("\n"));
    }
  },
  alert: ({ title }) => console.error(title),
  error: ({ message }) => {
    problem = `the result is incomplete: ${message}`;
    controller.abort();
  },
  done: () => {
    problem = undefined;
    controller.abort();
  },
};

try {
  await fetchEventSource(`${SRC_ENDPOINT}/.api/search/stream?${new URLSearchParams({ q: ASSAY_QUERY })}`, {
    headers: { Authorization: `token ${SRC_ACCESS_TOKEN}` },
    openWhenHidden: true,
    signal: controller.signal,
    onopen: async (response) => {
      if (!response.ok) {
        throw new Error(`the service returned status ${response.status}`);
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
