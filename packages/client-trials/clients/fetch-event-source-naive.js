// A search with `@microsoft/fetch-event-source`, like the first example of its README: it waits for the end and checks nothing
// else.
import { fetchEventSource } from "@microsoft/fetch-event-source";

const { SRC_ENDPOINT, SRC_ACCESS_TOKEN, ASSAY_TASK, ASSAY_QUERY } = process.env;
if (ASSAY_TASK !== "search") {
  process.exit(77);
}

// The library is written for web pages and needs only these globals.
globalThis.window = globalThis;
globalThis.document = new EventTarget();

await fetchEventSource(`${SRC_ENDPOINT}/.api/search/stream?${new URLSearchParams({ q: ASSAY_QUERY })}`, {
  headers: { Authorization: `token ${SRC_ACCESS_TOKEN}` },
  openWhenHidden: true,
  onmessage: ({ event, data }) => {
    if (event === "matches") {
      for (const { path } of JSON.parse(data)) {
        console.log(path);
      }
    }
  },
});
