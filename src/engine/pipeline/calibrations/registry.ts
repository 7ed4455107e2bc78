import {
  type Calibration,
  type CalibrationReport,
  CalibrationRequest,
  type CalibrationResult,
} from "../../api/calibrations/calibrations.ts";
import { chooseMap, fewestAnswers } from "../../decisions/calibration/choose.ts";
import { GatewayError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { isBareModel } from "../../routing/model-name.ts";
import { retryOnConflict, versionConflict } from "../../runtime/version-conflict.ts";
import { parserOf } from "../call/parse.ts";
import type { GuardedRecords } from "../runtime/port-call.ts";
import { calibrationId } from "./identity.ts";
import { type AskModel, type CalibrationProgress, type CalibrationSample, sampleCases } from "./samples.ts";

/** What maps are fitted with and stored in. */
export interface CalibrationPorts {
  readonly records: GuardedRecords;
  readonly clock: Clock;
  readonly ask: AskModel;
}

const parse = parserOf(CalibrationRequest);
/** Failures that a result names. */
const mostNamed = 10;

/** Fits the maps of a model to labelled answers and stores those that are better than the model's own probabilities. */
export async function fitCalibrations(
  ports: CalibrationPorts,
  input: unknown,
  onProgress?: CalibrationProgress,
): Promise<CalibrationResult> {
  const request = parse(input);
  if (isBareModel(request.model)) {
    const message = "`model`: must name the provider too, as `provider/model`: a map is of one model.";
    throw new GatewayError("invalid_model", message, { param: "model" });
  }
  const { samples, failures } = await sampleCases(request, ports.ask, onProgress);
  const groups = new Map<string, CalibrationSample[]>();
  for (const sample of samples) {
    const group = JSON.stringify([sample.question.name, sample.method]);
    const members = groups.get(group) ?? [];
    members.push(sample);
    groups.set(group, members);
  }
  const reports: CalibrationReport[] = [];
  for (const group of groups.values()) reports.push(await fitGroup(ports, request, group));
  return { reports, failures: failures.slice(0, mostNamed), failed: failures.length };
}

async function fitGroup(
  ports: CalibrationPorts,
  request: CalibrationRequest,
  samples: readonly CalibrationSample[],
): Promise<CalibrationReport> {
  const { question, method } = samples[0] as CalibrationSample;
  const about = { question: question.name, method, items: samples.length };
  if (samples.length < fewestAnswers || question.options.length < 2) return about;
  const { map, heldOut } = chooseMap(samples, request.kind);
  if (!map) return { ...about, held_out: heldOut };
  const { model, name = question.name } = request;
  const id = calibrationId({ model, question, method, asked: request });
  const fitted = { ...map, biases: [...map.biases], id, name, model, ...about, held_out: heldOut };
  return { ...about, held_out: heldOut, calibration: await store(ports, fitted) };
}

/** Stores a map as the next version of the one with its id. */
function store(
  { records, clock }: CalibrationPorts,
  fitted: Omit<Calibration, "version" | "created_at" | "updated_at">,
): Promise<Calibration> {
  return retryOnConflict(async () => {
    const before = await records.get("calibration", fitted.id);
    const now = new Date(clock.now()).toISOString();
    const calibration: Calibration = {
      ...fitted,
      version: (before?.record.version ?? 0) + 1,
      created_at: before?.record.created_at ?? now,
      updated_at: now,
    };
    const outcome = await records.put("calibration", calibration, before?.version ?? 0);
    return outcome.kind === "stored" ? calibration : versionConflict;
  });
}
