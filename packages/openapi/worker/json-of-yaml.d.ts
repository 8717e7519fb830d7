/** What may be read; see `readYaml`. */
export declare const jsonOfYaml: (
  text: string,
  limits: { readonly maxDepth: number; readonly maxCharacters: number },
) => { readonly json: string } | { readonly code: string; readonly reason: string };
