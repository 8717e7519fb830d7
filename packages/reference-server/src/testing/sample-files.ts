const numbered = Array.from({ length: 240 }, (_, index): readonly [string, string] => [
  `bulk/part-${String(index).padStart(3, "0")}.ts`,
  `export const bulk${index} = "needle";\n// filler ${index}\n`,
]);

/** Files with every difficulty for offsets, and enough others for several events. */
export const sampleFiles: Readonly<Record<string, string | Buffer>> = {
  ...Object.fromEntries(numbered),
  "README.md": "# Sample\n\nA haystack with a needle <in> & out.\n",
  "src/wide.go": 'package wide\n\n// 日本語 and 😀 before needle, then needle again\nvar s = "äöü needle"\n',
  "src/crlf.txt": "first\r\nthe needle line\r\nlast needle",
  "src/long.txt": `${"x".repeat(70_000)}needle${"y".repeat(70_000)}\nshort\n`,
  "src/invalid.txt": Buffer.concat([
    Buffer.from("ok\nbefore "),
    Buffer.of(0xff, 0xe2, 0x82),
    Buffer.from(" needle\nafter\n"),
  ]),
  "src/binary.bin": Buffer.concat([Buffer.from("needle in binary\n"), Buffer.alloc(64), Buffer.from("needle\n")]),
  "src/bom.txt": "\u{feff}needle after a mark\n",
  "src/needle_test.go": "package wide\n// alpha here\n// beta there\n",
  "src/context.py": "one\ntwo\nthree needle\nfour\nfive\nsix\nseven\neight needle\nnine\n",
  "odd/-dash name.txt": "needle behind a dash\n",
  "Jupyter/book.ipynb": '{"cells": ["needle"]}\n',
  "separators.txt": "left\u{2028}needle\u{2029}right\n",
  ".hidden/config.yml": "key: needle\n",
  ".gitignore": "ignored/\nbulk/part-001.ts\n",
};
