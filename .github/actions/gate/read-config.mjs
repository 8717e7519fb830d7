// Reads `assay config --json` from standard input and prints four words: whether it names an address, whether a credential comes
// with it, `public` where the target answers without one, and the host.
import process from "node:process";

let text = "";
for await (const piece of process.stdin) {
  text += piece;
}
const { values, tokens } = JSON.parse(text);
const valueOf = (name) => values.find((each) => each.name === name)?.value;
const credentials = new Set(["access token", "OAuth token"]);
const hasUrl = typeof valueOf("--url") === "string";
const hasToken = tokens.some(({ name, source }) => credentials.has(name) && source !== undefined);
const host = hasUrl && URL.canParse(valueOf("--url")) ? new URL(valueOf("--url")).host : "";
const words = [hasUrl ? "url" : "-", hasToken ? "token" : "-", valueOf("--access") ?? "undeclared", host];
process.stdout.write(`${words.join(" ")}\n`);
