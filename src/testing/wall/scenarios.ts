import type { Scenario } from "./scenario.ts";
import { circuitScenarios } from "./scenarios/circuits.ts";
import { hedgeScenarios } from "./scenarios/hedges.ts";
import { refusalScenarios } from "./scenarios/refusals.ts";
import { streamScenarios } from "./scenarios/streams.ts";
import { transportScenarios } from "./scenarios/transports.ts";

/** Every scenario of the fault wall; names are unique. */
export const scenarios: readonly Scenario[] = [
  ...refusalScenarios,
  ...transportScenarios,
  ...streamScenarios,
  ...circuitScenarios,
  ...hedgeScenarios,
];
