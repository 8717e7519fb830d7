// A search with `eventsource` that recognizes the end: it closes at `done` and at any error.
import { EventSource } from "eventsource";

const { SRC_ENDPOINT, SRC_ACCESS_TOKEN, ASSAY_TASK, ASSAY_QUERY } = process.env;
if (ASSAY_TASK !== "search") {
  process.exit(77);
}

const url = `${SRC_ENDPOINT}/.api/search/stream?${new URLSearchParams({ q: ASSAY_QUERY })}`;
const source = new EventSource(url, {
  fetch: (input, init) =>
    fetch(input, { ...init, headers: { ...init.headers, Authorization: `token ${SRC_ACCESS_TOKEN}` } }),
});

const end = (status, reason) => {
  source.close();
  if (reason !== undefined) {
    console.error(reason);
  }
  process.exitCode = status;
};

source.addEventListener("matches", ({ data }) => {
  for (const { path, lineMatches = [] } of JSON.parse(data)) {
    console.log([path, ...lineMatches.map(({ line }) => `  ${line}`)].join("\n"));
  }
});
source.addEventListener("alert", ({ data }) => console.error(JSON.parse(data).title));
source.addEventListener("done", () => end(0));
// The service also sends an event with this name. In both cases the result is incomplete.
source.addEventListener("error", ({ data, message }) => end(1, data ?? message ?? "the stream ended early"));
