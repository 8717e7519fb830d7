// A search with `eventsource`, like the first example of its README: it listens and never closes.
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

source.addEventListener("matches", ({ data }) => {
  for (const { path } of JSON.parse(data)) {
    console.log(path);
  }
});
source.addEventListener("alert", ({ data }) => console.error(JSON.parse(data).title));
source.addEventListener("done", () => console.log("that is all"));
