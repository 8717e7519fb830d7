import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isProving } from "@assay/config/proving";
import { describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { startMetricReceiver } from "../testing/metric-receiver.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const root = new URL("../../../../", import.meta.url);
const folder = new URL("scenarios/dashboards/", root);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const guide = readFileSync(new URL("packages/cli/docs/grafana.md", root), "utf8");

interface RecordedNames {
  /** Names of labels with blanks between them. */
  readonly remoteWrite: Readonly<Record<string, string>>;
  readonly openTelemetry: readonly string[];
}
const recorded: RecordedNames = JSON.parse(read("metric-names.json"));

interface Dashboard {
  readonly templating: { readonly list: readonly { readonly type: string; readonly query: string }[] };
  readonly panels: readonly { readonly id: number; readonly targets: readonly { readonly expr: string }[] }[];
}
const dashboard: Dashboard = JSON.parse(read("assay-load.json"));
const queries = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.filter(({ type }) => type === "query").map(({ query }) => query),
];

/** Each metric of a query with the labels that the query reads of it. */
const readIn = (query: string): readonly { readonly metric: string; readonly labels: readonly string[] }[] => {
  const grouping = [...query.matchAll(/\bby \(([^)]*)\)|label_values\(\w+, (\w+)\)/gu)].flatMap(
    ([, by = "", of = ""]) => `${by},${of}`.split(",").map((name) => name.trim()),
  );
  return [...query.matchAll(/\b(k6_\w+)(?:\{([^}]*)\})?/gu)].map(([, metric = "", selector = ""]) => ({
    metric,
    labels: [...selector.matchAll(/(\w+)(?:=~|=)/gu)]
      .map(([, label = ""]) => label)
      .concat(grouping)
      .filter((label) => label !== ""),
  }));
};

describe("the Grafana dashboard", () => {
  test.each(queries)("%s reads metrics and labels that a load sends", (query) => {
    const all = readIn(query);
    expect(all.length).toBeGreaterThan(0);
    for (const { metric, labels } of all) {
      expect(recorded.remoteWrite[metric]?.split(" ")).toEqual(expect.arrayContaining([...labels]));
    }
  });

  test("has panels with ids of their own, and every query balanced", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(queries.filter((query) => query.split(/[({]/u).length !== query.split(/[)}]/u).length)).toEqual([]);
  });

  /** What the compiler says of a dashboard by the types that Grafana publishes. */
  const mistakesIn = (text: string): string => {
    // The compiler refuses a file by name in a folder with a `tsconfig.json`, so it works in one without.
    const folder = temporaryFolder();
    const file = join(folder, "dashboard.ts");
    const types = createRequire(import.meta.url)
      .resolve("@grafana/schema/package.json")
      .replace("package.json", "dist/types/index.d.ts");
    // A member of an enumeration cannot be written in JSON.
    const literal = text.replaceAll('"mode": "absolute"', '"mode": ThresholdsMode.Absolute');
    writeFileSync(
      file,
      `import { type Dashboard, ThresholdsMode } from ${JSON.stringify(types.replace(/\.d\.ts$/u, ".js"))};\nexport const dashboard: Dashboard = ${literal};\n`,
    );
    const tsc = createRequire(import.meta.url)
      .resolve("typescript/package.json")
      .replace("package.json", "bin/tsc");
    const flags = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "es2022",
      "--types",
      "",
    ];
    return spawnSync(process.execPath, [tsc, ...flags, file], { cwd: folder, encoding: "utf8" }).stdout;
  };

  test("is one by Grafana's own types, which refuse a broken one", () => {
    const text = read("assay-load.json");
    expect(mistakesIn(text)).toBe("");
    expect(mistakesIn(text.replace('"schemaVersion": 39', '"schemaVersion": "new"'))).toContain(
      "'string' is not assignable to type 'number'",
    );
    expect(mistakesIn(text.replace('"gridPos"', '"gridPosition"'))).toContain("gridPosition");
  });
});

/** The settings and the command of a block of the guide, with another address of the receiver. */
const printed = (output: string, host: string) => {
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)].map(([, text = ""]) => text);
  const block = blocks.find((text) => text.includes(`--k6-out ${output}`)) ?? "";
  const settings = [...block.matchAll(/^export (\w+)='([^']*)'$/gmu)].map(([, name = "", value = ""]) => [
    name,
    value.replace(/127\.0\.0\.1:\d+/u, host),
  ]);
  const [, command = ""] = /^npx assay (.+)$/mu.exec(block) ?? [];
  return { env: Object.fromEntries(settings), args: command.split(" ") };
};

test.runIf(isProving && hasK6())("the commands of the guide send the names that are recorded", async () => {
  const receiver = await startMetricReceiver();
  const cwd = temporaryFolder();
  const short = ["--duration", "6s", "--warmup", "1s", "--rate", "4", "--no-canary", "--seed", "1", "--quiet"];
  for (const output of ["experimental-prometheus-rw", "opentelemetry"]) {
    const { env, args } = printed(output, receiver.host);
    const { code } = await callAssay([...args, ...short, "--out", output], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", ...env },
    });
    expect([0, 3]).toContain(code);
  }
  await receiver.close();
  const { remoteWrite, openTelemetry } = receiver.received();
  // A machine that is busy has these too.
  const isSteady = (name: string): boolean => !/dropped_iterations|^error(?:_code)?$/u.test(name);
  const sorted = (all: Iterable<string>): readonly string[] => [...all].filter(isSteady).toSorted();
  const names = {
    remoteWrite: Object.fromEntries(
      sorted(remoteWrite.keys()).map((name) => [name, sorted(remoteWrite.get(name) ?? []).join(" ")]),
    ),
    openTelemetry: sorted(openTelemetry),
  };
  await expect(`${JSON.stringify(names, undefined, 2)}\n`).toMatchFileSnapshot(
    new URL("metric-names.json", folder).pathname,
  );
});
