import { HarnessError } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { spawn } from "node:child_process";

/** What a call of kubectl printed. */
export interface KubectlEnd {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

export interface KubectlCall {
  /** Passed on standard input. Secrets are passed only here. */
  readonly input?: string;
  /** Default: 30 s. */
  readonly timeoutMs?: number;
}

/** Calls kubectl for one context and one namespace. */
export interface Kubectl {
  /** Returns how the call ended. Throws only if kubectl cannot be started. */
  call(args: readonly string[], call?: KubectlCall): Promise<KubectlEnd>;
  /** Returns the output. Throws an `unavailable` error with the last line of kubectl if it fails. */
  run(args: readonly string[], call?: KubectlCall): Promise<string>;
}

export interface KubectlOptions {
  /** Name of a context of the kubeconfig. Default: the current one. */
  readonly kubeContext?: string;
  /** Default: the namespace of the context. */
  readonly namespace?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly redact: (text: string) => string;
}

const defaultTimeoutMs = 30_000;
/** Lists of pods are far smaller. */
const maxOutputBytes = 64 * 2 ** 20;

/** Returns the last line that kubectl printed, which has the reason. */
export const describeKubectlError = ({ err, exitCode }: KubectlEnd): string =>
  visibleText(err.trim().split("\n").at(-1) ?? "", 400) || `kubectl ended with ${exitCode}`;

function toStartError(error: NodeJS.ErrnoException): HarnessError {
  return new HarnessError(
    "usage",
    error.code === "ENOENT"
      ? "--kubernetes needs kubectl, and there is none on the PATH; install it"
      : `kubectl cannot be started (${error.code ?? error.message})`,
    { cause: error },
  );
}

/** Creates a caller of the kubectl on the path. */
export function createKubectl({ kubeContext, namespace, env, redact }: KubectlOptions): Kubectl {
  const commonArgs = [
    ...(kubeContext === undefined ? [] : ["--context", kubeContext]),
    ...(namespace === undefined ? [] : ["--namespace", namespace]),
  ];
  const call = (
    args: readonly string[],
    { input = "", timeoutMs = defaultTimeoutMs }: KubectlCall = {},
  ): Promise<KubectlEnd> =>
    new Promise((resolve, reject) => {
      // Its own process group, so that Ctrl-C reaches only this process, which then deletes the objects of the run.
      const child = spawn("kubectl", [...commonArgs, ...args], { env, detached: true, timeout: timeoutMs });
      const chunks = { out: new Array<Buffer>(), err: new Array<Buffer>() };
      let size = 0;
      const keep = (list: Buffer[]) => (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxOutputBytes) {
          list.push(chunk);
        }
      };
      child.stdout.on("data", keep(chunks.out));
      child.stderr.on("data", keep(chunks.err));
      // kubectl may end before it has read everything. Its exit code then shows why.
      child.stdin.on("error", () => undefined);
      child.stdin.end(input);
      child.once("error", (error) => reject(toStartError(error)));
      child.once("close", (exitCode, signal) => {
        const err = redact(Buffer.concat(chunks.err).toString());
        const timeout = signal === null ? "" : `\nkubectl ${args[0] ?? ""} took longer than ${timeoutMs / 1000} s`;
        resolve({ exitCode: exitCode ?? 1, out: Buffer.concat(chunks.out).toString(), err: `${err}${timeout}` });
      });
    });
  return {
    call,
    async run(args, options) {
      const end = await call(args, options);
      if (end.exitCode !== 0) {
        throw new HarnessError("unavailable", `the cluster refused a call: ${describeKubectlError(end)}`);
      }
      return end.out;
    },
  };
}
