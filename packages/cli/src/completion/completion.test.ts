import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { hasTool } from "../testing/require-tool.ts";

const folder = fileURLToPath(new URL("../..", import.meta.url));
const scripts = temporaryFolder();
const scriptFor = async (shell: string): Promise<string> =>
  (await callAssay(["completion", shell], { cwd: folder })).out;

/** What bash offers at the end of a line, in the order of its words. */
async function offered(line: string): Promise<readonly string[]> {
  const words = line.split(" ");
  const asked = `COMP_WORDS=(${words.map((each) => JSON.stringify(each)).join(" ")}); COMP_CWORD=${words.length - 1}; _assay; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `${await scriptFor("bash")}\n${asked}`], {
    encoding: "utf8",
    cwd: folder,
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((each) => each !== "");
}

describe("bash", () => {
  test.each([
    { line: "assay do", offers: ["doctor"] },
    { line: "assay run --rules", offers: ["--rules-as-of"] },
    { line: "assay run --limits s", offers: ["staging"] },
    { line: "assay --no-config run --access p", offers: ["private", "public"] },
    { line: "assay check READ", offers: ["README.md"] },
    { line: "assay run --token-file READ", offers: ["README.md"] },
    { line: "assay run --profile ", offers: ["smoke", "gate", "release"] },
    { line: "assay run --interface l", offers: ["legacy"] },
    { line: "assay run --rule stream/done-is-l", offers: ["stream/done-is-last"] },
    { line: "assay run --rule @", offers: ["@failed"] },
    { line: "assay serve --fault no-do", offers: ["no-done"] },
    { line: "assay client --trial odd", offers: ["odd-chunks"] },
    { line: "assay report --format ju", offers: ["junit"] },
    { line: "assay load --shape s", offers: ["steady", "spike", "soak"] },
    { line: "assay load mix", offers: ["mixed"] },
    { line: "assay completion z", offers: ["zsh"] },
    { line: "assay explain reports/runs/x stream/done-is-l", offers: ["stream/done-is-last"] },
    { line: "assay run --parallel ", offers: [] },
    { line: "assay run --url ", offers: [] },
    { line: "assay completion --he", offers: ["--help"] },
    { line: "assay load --max", offers: ["--max-vus"] },
  ])("offers $offers for `$line`", async ({ line, offers }) => {
    expect(await offered(line)).toEqual(offers);
  });

  test("offers every command, and no flag that is hidden", async () => {
    expect(await offered("assay ")).toEqual(expect.arrayContaining(["run", "load", "serve", "completion", "help"]));
    expect(await offered("assay serve --until")).toEqual([]);
  });
});

describe.each(["zsh", "fish"])("%s", (shell) => {
  test("is given a script for the same commands and flags", async () => {
    expect(await scriptFor(shell)).toMatch(/rules-as-of[^]*wait-for/u);
  });

  test.skipIf(!hasTool(shell))("can read it", async () => {
    const file = join(scripts, shell);
    writeFileSync(file, await scriptFor(shell));
    expect(spawnSync(shell, ["-n", file], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });
});

test("fish marks advanced flags", async () => {
  const script = await scriptFor("fish");
  expect(script).toMatch(/seen_subcommand_from run' -l rules-as-of .*\(advanced\)'$/mu);
  expect(script).not.toMatch(/ -l url .*\(advanced\)/u);
});

test("an unknown shell is refused with the nearest name", async () => {
  expect(await callAssay(["completion", "bas"], { cwd: folder })).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("bash"),
  });
});
