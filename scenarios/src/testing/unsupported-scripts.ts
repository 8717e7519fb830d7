/** Scripts that cannot be bundled for k6, with the error code and a part of the message. */
export const unsupportedScripts = [
  {
    name: "for await",
    text: "export default async () => {\n  for await (const one of [1]) {\n    console.log(one);\n  }\n};\n",
    code: "unfit-syntax",
    says: "`for await`",
  },
  {
    name: "an asynchronous generator",
    text: "async function* all() {\n  yield 1;\n}\nexport default () => all().next();\n",
    code: "unfit-syntax",
    says: "`async function*`",
  },
  {
    name: "a decorator",
    text: "const same = (one: unknown) => one;\nexport default class {\n  @same\n  run() {}\n}\n",
    code: "unfit-syntax",
    says: "`a decorator`",
  },
  {
    name: "a dynamic import",
    text: 'export default () => import(`${__ENV["WHAT"]}`);\n',
    code: "unfit-syntax",
    says: "`import()`",
  },
  {
    name: "a module of Node",
    text: 'import { readFileSync } from "node:fs";\nexport default () => readFileSync("x");\n',
    code: "not-bundled",
    says: '"node:fs", a module of Node',
  },
  {
    name: "a file that is missing",
    text: 'import { nothing } from "./not-there.ts";\nexport default nothing;\n',
    code: "not-bundled",
    says: "script.ts (line 1, column 25)",
  },
  {
    name: "a package that is missing",
    text: 'import { nothing } from "no-such-package";\nexport default nothing;\n',
    code: "not-bundled",
    says: "'no-such-package'",
  },
  {
    name: "half a function",
    text: "export default function ( {\n",
    code: "not-bundled",
    says: "Expected `}` but found `EOF` (line 2, column 1)",
  },
] as const;

/** Syntax that k6 does not know and that the bundler transforms. */
export const usingScript =
  "export default () => {\n  using held = { [Symbol.dispose]: () => undefined };\n  console.log(String(held));\n};\n";
