/**
 * `node target-servers.js ADDRESS PORT...`: starts a reference server on each port, all with the same tokens, and prints a line of JSON
 * with their addresses and the token. For each line on standard input it prints the searches of each server: query, token and time. For the
 * line `conversations` it prints how many each server created and deleted. Ends with its input.
 */
import { createInterface } from "node:readline";

const { startServer } = await import(new URL("../../../packages/cli/dist/bundle/server.js", import.meta.url));
const [host, ...ports] = process.argv.slice(2);
const servers = [];
for (const port of ports) {
  servers.push(await startServer({ host, port: Number(port), seed: 5 }));
}
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const listSearches = (server) =>
  server
    .journal()
    .filter(({ url }) => url.startsWith("/.api/search/stream"))
    .map(({ url, at, status, request }) => ({
      query: new URL(url, server.url).searchParams.get("q"),
      token: request.credential?.token,
      at,
      status,
    }));

const countCalls = (server, operation) =>
  server.journal().filter(({ url, status }) => url.endsWith(`/${operation}Conversation`) && status === 200).length;
const countConversations = (server) => ({
  created: countCalls(server, "Create"),
  deleted: countCalls(server, "Delete"),
});

print({ urls: servers.map(({ url }) => url), token: servers[0].token });
for await (const line of createInterface({ input: process.stdin })) {
  print(servers.map(line === "conversations" ? countConversations : listSearches));
}
await Promise.all(servers.map((server) => server.close()));
