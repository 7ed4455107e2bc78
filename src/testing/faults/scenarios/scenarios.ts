import { circuitScenarios } from "./circuits.ts";
import { hedgeScenarios } from "./hedges.ts";
import { oddityScenarios } from "./oddities.ts";
import { refusalScenarios } from "./refusals.ts";
import type { Scenario } from "./scenario.ts";
import { streamScenarios } from "./streams.ts";
import { transportScenarios } from "./transports.ts";

/** Every scenario of the fault server; names are unique. */
export const scenarios: readonly Scenario[] = [
  ...refusalScenarios,
  ...transportScenarios,
  ...streamScenarios,
  ...oddityScenarios,
  ...circuitScenarios,
  ...hedgeScenarios,
];
