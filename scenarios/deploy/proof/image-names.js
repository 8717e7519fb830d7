/** The targets of the Dockerfile and their names, which are those of `overlays/example`. */
export const imageNames = {
  assay: "registry.example.com/load/assay:0.1.0",
  runner: "registry.example.com/load/assay-k6:0.1.0",
  merge: "registry.example.com/load/assay-merge:0.1.0",
};
