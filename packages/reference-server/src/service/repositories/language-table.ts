interface LanguageEntry {
  /** The canonical spelling. */
  readonly label: string;
  /** Other names that `lang:` accepts, lower-case. */
  readonly aliases?: readonly string[];
  /** File name endings, lower-case, without the dot. */
  readonly extensions: readonly string[];
  /** Whole file names, lower-case. */
  readonly fileNames?: readonly string[];
}

const languages: readonly LanguageEntry[] = [
  { label: "Batchfile", extensions: ["bat", "cmd"] },
  { label: "C", extensions: ["c", "h"] },
  { label: "C#", aliases: ["csharp"], extensions: ["cs"] },
  { label: "C++", aliases: ["cpp"], extensions: ["cc", "cpp", "cxx", "hpp", "hh", "hxx"] },
  { label: "CSS", extensions: ["css"] },
  { label: "CSV", extensions: ["csv"] },
  { label: "Clojure", extensions: ["clj", "cljs", "cljc", "edn"] },
  { label: "Dart", extensions: ["dart"] },
  { label: "Diff", extensions: ["diff", "patch"] },
  { label: "Dockerfile", extensions: ["dockerfile"], fileNames: ["dockerfile", "containerfile"] },
  { label: "Elixir", extensions: ["ex", "exs"] },
  { label: "Erlang", extensions: ["erl", "hrl"] },
  { label: "Go", aliases: ["golang"], extensions: ["go"] },
  { label: "Go Module", extensions: [], fileNames: ["go.mod"] },
  { label: "GraphQL", extensions: ["graphql", "gql"] },
  { label: "Groovy", extensions: ["groovy", "gradle"] },
  { label: "HCL", aliases: ["terraform"], extensions: ["hcl", "tf", "tfvars"] },
  { label: "HTML", extensions: ["html", "htm", "xhtml"] },
  { label: "Haskell", extensions: ["hs"] },
  { label: "INI", extensions: ["ini", "cfg"], fileNames: [".editorconfig", ".npmrc", ".gitconfig"] },
  { label: "JSON", extensions: ["json", "jsonc", "ndjson"] },
  { label: "Java", extensions: ["java"] },
  { label: "JavaScript", aliases: ["js"], extensions: ["js", "mjs", "cjs", "jsx"] },
  { label: "Jupyter Notebook", extensions: ["ipynb"] },
  { label: "Kotlin", extensions: ["kt", "kts"] },
  { label: "Lua", extensions: ["lua"] },
  { label: "Makefile", extensions: ["mk"], fileNames: ["makefile", "gnumakefile"] },
  { label: "Markdown", aliases: ["md"], extensions: ["md", "markdown"] },
  { label: "Nix", extensions: ["nix"] },
  { label: "OCaml", extensions: ["ml", "mli"] },
  { label: "Objective-C", extensions: ["m"] },
  { label: "PHP", extensions: ["php"] },
  { label: "Perl", extensions: ["pl", "pm"] },
  { label: "PowerShell", extensions: ["ps1", "psm1"] },
  { label: "Protocol Buffer", aliases: ["protobuf", "proto"], extensions: ["proto"] },
  { label: "Python", aliases: ["py"], extensions: ["py", "pyi"] },
  { label: "R", extensions: ["r"] },
  { label: "Ruby", aliases: ["rb"], extensions: ["rb", "rake"], fileNames: ["gemfile", "rakefile"] },
  { label: "Rust", aliases: ["rs"], extensions: ["rs"] },
  { label: "SCSS", extensions: ["scss"] },
  { label: "SQL", extensions: ["sql"] },
  { label: "SVG", extensions: ["svg"] },
  { label: "Scala", extensions: ["scala", "sbt"] },
  { label: "Shell", aliases: ["bash", "sh"], extensions: ["sh", "bash", "zsh"], fileNames: [".bashrc", ".profile"] },
  { label: "Starlark", aliases: ["bazel"], extensions: ["bzl", "star"], fileNames: ["build.bazel", "workspace"] },
  { label: "Svelte", extensions: ["svelte"] },
  { label: "Swift", extensions: ["swift"] },
  { label: "TOML", extensions: ["toml"] },
  { label: "TSX", extensions: ["tsx"] },
  { label: "Text", extensions: ["txt"] },
  { label: "TypeScript", aliases: ["ts"], extensions: ["ts", "mts", "cts"] },
  { label: "Vue", extensions: ["vue"] },
  { label: "XML", extensions: ["xml", "xsd", "xsl"] },
  { label: "YAML", aliases: ["yml"], extensions: ["yaml", "yml"] },
  { label: "Zig", extensions: ["zig"] },
];

const byExtension = new Map(languages.flatMap(({ label, extensions }) => extensions.map((name) => [name, label])));
const byFileName = new Map(languages.flatMap(({ label, fileNames = [] }) => fileNames.map((name) => [name, label])));
const byName = new Map(
  languages.flatMap(({ label, aliases = [] }) => [label.toLowerCase(), ...aliases].map((name) => [name, label])),
);

/** Returns the language of a file by its name, in canonical spelling, or undefined if it is unknown. */
export const findLanguage = (path: string): string | undefined => {
  const fileName = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = fileName.lastIndexOf(".");
  return byFileName.get(fileName) ?? (dot < 0 ? undefined : byExtension.get(fileName.slice(dot + 1)));
};

/** Returns the language of a `lang:` filter in canonical spelling. Ignores case and accepts aliases such as `ts`. */
export const findLanguageByName = (name: string): string | undefined => byName.get(name.toLowerCase());

/** Names and aliases that `lang:` accepts, lower-case. */
export const languageNames: readonly string[] = [...byName.keys()];
