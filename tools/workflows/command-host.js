// Runs commands in one long-lived process, because starting Assay takes ten times as long as a typical command of these scripts.
// Handles one call at a time: each call changes the working directory and environment of the process.
// Usage: node command-host.js SOCKET. Exits when standard input closes.
import { createServer } from "node:net";
import process from "node:process";
import { Readable } from "node:stream";

const compiledFolder = new URL("../../packages/cli/dist/", import.meta.url);
const { runCommandLine } = await import(new URL("run-command-line.js", compiledFolder).href);

async function runCall({ args, cwd, env }) {
  for (const name of Object.keys(process.env)) {
    delete process.env[name];
  }
  Object.assign(process.env, env);
  process.chdir(cwd);
  const output = { out: "", err: "" };
  const code = await runCommandLine(
    {
      env: process.env,
      cwd,
      terminal: { colour: false, width: 80, isTty: false, isCi: true },
      out: (text) => void (output.out += text),
      err: (text) => void (output.err += text),
      signal: new AbortController().signal,
      stdin: Readable.from([]),
    },
    args,
  );
  return { code, ...output };
}

let lastCall = Promise.resolve();
const server = createServer({ allowHalfOpen: true }, (socket) => {
  const pieces = [];
  // Uses events: async iteration would destroy the socket before the reply is written.
  socket.on("data", (piece) => pieces.push(piece));
  socket.on("end", () => {
    const request = JSON.parse(Buffer.concat(pieces).toString());
    lastCall = lastCall.then(async () => void socket.end(JSON.stringify(await runCall(request))));
  });
});
server.listen(process.argv[2], () => void process.stdout.write("ready\n"));
process.stdin.on("end", () => process.exit()).resume();
