/**
 * `node refusing-front.js ADDRESS PORT TARGET`: answers as a server does, which it asks once for each kind of request. Five seconds after
 * the first search it refuses one with 429 and asks for a pause. Some time after that it refuses all with 503. Prints its address and the
 * times as a line of JSON, and for each line on standard input all searches so far: time and status. Ends with its input.
 */
import { once } from "node:events";
import { createServer, request } from "node:http";
import { createInterface } from "node:readline";

const busyAfterMs = 5000;
const pauseSeconds = 6;
const overloadedAfterMs = 11_000;
const [host, port, target] = process.argv.slice(2);
const searches = [];
let firstAt;
let busyAt;

/** Returns the status and the headers of a refusal. Undefined if the request is forwarded. */
function refuse(now) {
  firstAt ??= now;
  if (busyAt === undefined && now - firstAt > busyAfterMs) {
    busyAt = now;
    return [429, { "retry-after": String(pauseSeconds) }];
  }
  return busyAt !== undefined && now - busyAt > overloadedAfterMs ? [503, {}] : undefined;
}

/** Answers of the server by request, so that they come at once also while the machine is busy. */
const answers = new Map();

async function fetchAnswer({ method, headers, url }) {
  const forwarded = request(new URL(url, target), { method, headers }).end();
  const [response] = await once(forwarded, "response");
  const { "transfer-encoding": _encoding, connection: _connection, ...responseHeaders } = response.headers;
  return { status: response.statusCode, headers: responseHeaders, body: Buffer.concat(await response.toArray()) };
}

async function answer(incoming, outgoing) {
  const now = Date.now();
  const refusal = refuse(now);
  searches.push({ at: now, status: refusal?.[0] ?? 200 });
  if (refusal !== undefined) {
    outgoing.writeHead(...refusal).end();
    return;
  }
  const { url } = incoming;
  if (!answers.has(url)) {
    answers.set(url, fetchAnswer(incoming));
  }
  const { status, headers, body } = await answers.get(url);
  outgoing.writeHead(status, headers);
  outgoing.end(body);
}

const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
server.listen(Number(port), host);
await once(server, "listening");
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
print({ url: `http://${host}:${port}`, pauseSeconds, overloadedAfterMs });
for await (const _ of createInterface({ input: process.stdin })) {
  print(searches);
}
server.closeAllConnections();
server.close();
