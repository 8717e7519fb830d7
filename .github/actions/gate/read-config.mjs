// Reads `assay config --json` from standard input and prints three lines. Four words: whether it names an address, whether a
// credential comes with it, `public` where the target answers without one, and the host. Then the places that tokens of the target
// come from, and the variables with a token that it makes no use of.
import process from "node:process";

let text = "";
for await (const piece of process.stdin) {
  text += piece;
}
const { values, tokens } = JSON.parse(text);
const valueOf = (name) => values.find((each) => each.name === name)?.value;
const credentials = new Set(["access token", "OAuth token"]);
const hasUrl = typeof valueOf("--url") === "string";
const isGiven = ({ source }) => source !== undefined;
const hasToken = tokens.some((token) => credentials.has(token.name) && isGiven(token));
const host = hasUrl && URL.canParse(valueOf("--url")) ? new URL(valueOf("--url")).host : "";

const sources = tokens.flatMap(({ source, from = [] }) => (source === undefined ? from : [source]));
const hasAccessToken = tokens.some((token) => token.name === "access token" && isGiven(token));
const usual = ["OAUTH_", "OTHER_", "READ_", "UNSCOPED_", "QUOTA_", "ENTITLEMENT_", ""].map(
  (kind) => `ASSAY_${kind}TOKEN`,
);
// The second place of the access token is none that anybody misses where the first one gives it.
const looked = hasAccessToken ? usual : [...usual, "SRC_ACCESS_TOKEN"];
const used = new Set(tokens.map(({ source }) => source));
const unused = looked.filter((name) => (process.env[name] ?? "") !== "" && !used.has(name));

const words = [hasUrl ? "url" : "-", hasToken ? "token" : "-", valueOf("--access") ?? "undeclared", host];
process.stdout.write(`${words.join(" ")}\n${sources.join(", ") || "nowhere"}\n${unused.join(", ")}\n`);
