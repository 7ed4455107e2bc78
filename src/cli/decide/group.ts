import type { CommandGroup } from "../program/command.ts";
import { calibrateCommand } from "./calibrate.ts";
import { deleteCalibration, listCalibrations } from "./list.ts";

/** `tollgate decide …`: what typed decisions have learnt from labelled answers. */
export const decide: CommandGroup = {
  name: "decide",
  summary: "calibrate the probabilities of typed decisions",
  about:
    "Fits maps that turn a model's probabilities into such as come true as often, one for each model and question. They work on the\n" +
    "store, also while a gateway serves from it; a running gateway applies a map from the next decision on, and answers name it.",
  commands: { calibrate: calibrateCommand, list: listCalibrations, delete: deleteCalibration },
  examples: [calibrateCommand, listCalibrations].flatMap(({ examples }) => examples.slice(0, 1)),
};
