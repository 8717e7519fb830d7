// Example files of a user with an installation, for `npm run release:check`.

export const client = `const headers = { authorization: \`token \${process.env.SRC_ACCESS_TOKEN}\` };
const answer = await fetch(\`\${process.env.SRC_ENDPOINT}/.api/search/stream?q=test\`, { headers });
console.log((await answer.text()).length);
`;

export const example = `import "assay/vitest";
import { startServer } from "assay/server";
import { checkStream, createStreamChecker, type StreamEvent } from "assay/stream";
import { expect, test } from "vitest";

test("a good answer keeps the contract, and a broken one does not", async () => {
  const good = await startServer({ seed: 1 });
  const bad = await startServer({ faults: ["no-done"], seed: 1 });
  try {
    for (const [server, outcome] of [[good, "conforms"], [bad, "violates"]] as const) {
      const headers = { authorization: \`token \${server.token}\` };
      const ask = (): Promise<Response> => fetch(\`\${server.url}/.api/search/stream?q=test\`, { headers });
      expect(await checkStream(await ask())).toMatchObject({ outcome });
      await (outcome === "conforms"
        ? expect(await ask()).toKeepTheStreamContract()
        : expect(await ask()).not.toKeepTheStreamContract());
    }
    expect(bad.journal().at(-1)).toMatchObject({ fault: "no-done", faultApplied: true });
  } finally {
    await good.close();
    await bad.close();
  }
});

test("what is no stream is neither", async () => {
  const page = new Response("<html>sign in</html>", { headers: { "content-type": "text/html" } });
  expect(await checkStream(page)).toMatchObject({ outcome: "incomplete", violations: [] });
  await expect(expect("").toKeepTheStreamContract()).rejects.toThrow("no stream to judge");
});

test("events as they come", () => {
  const events: StreamEvent[] = [];
  const checker = createStreamChecker({ onEvent: (event) => void events.push(event), onFinding: () => undefined });
  checker.push(new TextEncoder().encode("event: done\\ndata: {}\\n\\n"), 0);
  checker.end();
  expect(events.map(({ name, value }) => [name, value])).toEqual([["done", {}]]);
});
`;

export const scenario = `import { assayRecorder } from "assay/scenarios/assay-recorder";
import { assayScript } from "assay/scenarios/assay-script";
import { searchFlow } from "assay/scenarios/load-flows";
import { readPlanFor } from "assay/scenarios/read-plan";
import { searcher } from "assay/scenarios/search-flow";

const plan = readPlanFor({ searches: true, asksQuestions: false, hasBlocks: true });
const flow = searchFlow(plan);
const script = assayScript(plan, [flow]);
const ask = searcher(plan, assayRecorder);

export const options = script.options;
export const handleSummary = script.handleSummary;
export const search = script.iteration(flow, (task) => ask({ ...task, asked: { ...task.asked, text: "return" } }));
`;

export const configuration = `import { defineConfig } from "assay";

export default defineConfig({ targets: { staging: { url: "https://staging.example.com", access: "private" } } });
`;
