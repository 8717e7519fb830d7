import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { startMetricReceiver } from "../testing/metric-receiver.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const root = new URL("../../../../", import.meta.url);
const folder = new URL("scenarios/dashboards/", root);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const guide = readFileSync(new URL("packages/cli/docs/grafana.md", root), "utf8");

/** Names of metrics with their labels, blanks between them; closed labels also with their values, as `flow=search`. */
type MetricLabels = Readonly<Record<string, string>>;

/** As k6 sends them. */
const sent: { readonly remoteWrite: MetricLabels; readonly openTelemetry: readonly string[] } = JSON.parse(
  read("metric-names.json"),
);
/** The same OTLP as a Prometheus 3.8 shows it that was given `--web.enable-otlp-receiver`. */
const translated: MetricLabels = JSON.parse(read("otlp-names-in-prometheus.json"));

interface Dashboard {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly type: string; readonly query: string }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

/** Each metric of a query with its labels and their required values. */
const readIn = (query: string): readonly { readonly metric: string; readonly labels: readonly string[] }[] => {
  const grouping = [...query.matchAll(/\bby \(([^)]*)\)|label_values\(\w+, (\w+)\)/gu)].flatMap(
    ([, by = "", of = ""]) => `${by},${of}`.split(",").map((name) => name.trim()),
  );
  return [...query.matchAll(/\b([a-z]\w*)\{([^}]*)\}|label_values\((\w+),|max\((\w+)\)$/gu)].map(
    ([, metric, selector = "", listed, alone = ""]) => ({
      metric: metric ?? listed ?? alone,
      labels: [...selector.matchAll(/(\w+)(=~|=)"([^"]*)"/gu)]
        .map(([, label = "", operator, value = ""]) => (operator === "=" ? `${label}=${value}` : label))
        .concat(grouping)
        .filter((label) => label !== ""),
    }),
  );
};

test("Prometheus has every metric of OTLP under a name of its own", () => {
  const plain = (name: string): string =>
    name.replace(/(?:_milliseconds_(?:bucket|count|sum)|(?:_bytes)?_total)$/u, "");
  const names = new Set(Object.keys(translated).map(plain));
  expect([...names].toSorted()).toEqual(sent.openTelemetry.map((name) => name.replace(/\.total$/u, "")).toSorted());
});

const dashboardIn = (name: string): Dashboard => JSON.parse(read(name));

describe.each([
  { file: "assay-load.json", recorded: sent.remoteWrite },
  { file: "assay-load-otlp.json", recorded: translated },
])("the Grafana dashboard $file", ({ file, recorded }) => {
  const dashboard = dashboardIn(file);
  const queries = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.filter(({ type }) => type === "query").map(({ query }) => query),
  ];

  test.each(queries)("%s reads metrics, labels and values that a load sends", (query) => {
    const all = readIn(query);
    expect(all.length).toBeGreaterThan(0);
    for (const { metric, labels } of all) {
      expect(recorded[metric]?.split(" ")).toEqual(expect.arrayContaining([...labels]));
    }
  });

  test("has panels with ids of their own, and every query balanced", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(queries.filter((query) => query.split(/[({]/u).length !== query.split(/[)}]/u).length)).toEqual([]);
  });

  test("has the panels of the other one", () => {
    const titles = (name: string): readonly string[] => dashboardIn(name).panels.map(({ title }) => title);
    expect(titles(file)).toEqual(titles("assay-load.json"));
    expect(dashboard.uid).toBe(file.replace(".json", ""));
  });

  /** Compiler errors of a dashboard against the types that Grafana publishes. */
  const mistakesIn = (text: string): string => {
    // The compiler refuses a file by name in a folder with a `tsconfig.json`, so it works in one without.
    const programFolder = temporaryFolder();
    const programFile = join(programFolder, "dashboard.ts");
    const types = createRequire(import.meta.url)
      .resolve("@grafana/schema/package.json")
      .replace("package.json", "dist/types/index.d.ts");
    // A member of an enumeration cannot be written in JSON.
    const literal = text.replaceAll('"mode": "absolute"', '"mode": ThresholdsMode.Absolute');
    writeFileSync(
      programFile,
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
    return spawnSync(process.execPath, [tsc, ...flags, programFile], { cwd: programFolder, encoding: "utf8" }).stdout;
  };

  test("fits Grafana's types, which refuse a broken one", () => {
    const text = read(file);
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

test.runIf(hasK6())("the commands of the guide send the names that are recorded", { tags: "proof" }, async () => {
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
