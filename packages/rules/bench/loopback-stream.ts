import { Agent, request } from "undici";

/** Reads a whole answer of a server on this machine; `take` runs once for each chunk as it comes off the socket. */
export async function loopbackStream(port: number, take: (chunk: Buffer) => void): Promise<void> {
  const dispatcher = new Agent({ bodyTimeout: 60_000 });
  const { body } = await request(`http://127.0.0.1:${port}/`, { dispatcher });
  await new Promise((resolve, reject) => {
    body.on("data", (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        reject(error);
        body.destroy();
      }
    });
    body.on("end", resolve);
    body.on("error", reject);
  });
  await dispatcher.close();
}
