/** The version of the tool, as it stands in every manifest. */
export const tool = { name: "assay", version: "0.1.0" } as const;
