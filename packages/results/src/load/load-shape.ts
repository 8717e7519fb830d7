/** Shapes of the arrival rate of a load run over time. */
export const loadShapes = ["steady", "ramp", "spike", "soak", "breakpoint"] as const;
export type LoadShape = (typeof loadShapes)[number];
