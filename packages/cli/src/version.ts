/** Name and version of the tool in every manifest. */
export const tool = { name: "assay", version: "0.1.0" } as const;
