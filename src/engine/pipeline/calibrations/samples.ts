import type { CalibrationRequest } from "../../api/calibrations/calibrations.ts";
import type { DecisionMethod } from "../../api/decisions/options.ts";
import type { DecisionRequest, DecisionResponse, MapAnswer } from "../../api/decisions.ts";
import type { LabelledAnswer } from "../../decisions/calibration/scores.ts";
import { optionOf } from "../../decisions/material.ts";
import { type DecisionQuestions, readQuestions, type TypedQuestion } from "../../decisions/question.ts";
import { readAnswers } from "../../decisions/reading.ts";
import { GatewayError, toGatewayError } from "../../errors.ts";

/** Asks the model about one case. */
export type AskModel = (request: DecisionRequest) => Promise<DecisionResponse>;

/** Told of every case that is read, with the number of all. */
export type CalibrationProgress = (read: number, all: number) => void;

/** A labelled answer to a question, and the way in which the model gave it. */
export interface CalibrationSample extends LabelledAnswer {
  readonly question: TypedQuestion;
  readonly method: DecisionMethod;
}

/** What could be read of the cases. */
export interface SampledCases {
  readonly samples: readonly CalibrationSample[];
  readonly failures: readonly { readonly case: number; readonly message: string }[];
}

type Case = CalibrationRequest["cases"][number];

/** Cases about which the model is asked at once. */
const casesTogether = 4;

/**
 * The labelled answers of the cases: recorded ones as they are, the others as the model gives them now. Labels and records are looked
 * through before the model is asked; bad ones throw `invalid_request`. A case that the model does not answer is left out.
 */
export async function sampleCases(
  request: CalibrationRequest,
  ask: AskModel,
  onProgress?: CalibrationProgress,
): Promise<SampledCases> {
  const { cases } = request;
  const read = cases.map((one, at) => readCase(request, one, at));
  const samples: CalibrationSample[][] = cases.map(() => []);
  const failures: { case: number; message: string }[] = [];
  let first: unknown;
  let done = 0;
  const queue = read.entries();
  const lane = async () => {
    for (const [at, { recorded, open }] of queue) {
      try {
        const answered = open.questions.length === 0 ? [] : await askOpen(request, cases[at] as Case, { open, ask });
        samples[at] = [...recorded, ...answered];
      } catch (thrown) {
        first ??= thrown;
        failures.push({ case: at, message: toGatewayError(thrown).message });
      }
      onProgress?.(++done, cases.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(casesTogether, cases.length) }, lane));
  if (failures.length === cases.length) throw first;
  return { samples: samples.flat(), failures: failures.sort((one, other) => one.case - other.case) };
}

interface ReadCase {
  readonly recorded: readonly CalibrationSample[];
  /** The questions that the model is to be asked, with the positions of their right options. */
  readonly open: OpenQuestions;
}

interface OpenQuestions extends DecisionQuestions {
  readonly truths: readonly number[];
}

function readCase(request: CalibrationRequest, { answers, recorded = {} }: Case, at: number): ReadCase {
  const read = readQuestions(request as DecisionRequest);
  for (const name of Object.keys({ ...answers, ...recorded }))
    if (!read.questions.some((question) => question.name === name))
      throw invalid(`cases.${at}.${Object.hasOwn(answers, name) ? "answers" : "recorded"}.${name}`, "is no question");
  const labelled = read.questions.flatMap((question) => {
    const answer = Object.hasOwn(answers, question.name) ? answers[question.name] : undefined;
    if (answer === undefined) return [];
    const truth = optionOf(question, answer);
    if (truth !== -1) return [{ question, truth }];
    throw invalid(`cases.${at}.answers.${question.name}`, `${JSON.stringify(answer)} is none of the options`);
  });
  const isRecorded = ({ question }: { readonly question: TypedQuestion }) => Object.hasOwn(recorded, question.name);
  const open = labelled.filter((each) => !isRecorded(each));
  return {
    recorded: labelled.filter(isRecorded).flatMap(({ question, truth }) => {
      const param = `cases.${at}.recorded.${question.name}`;
      return readRecorded(read, { question, truth, answer: recorded[question.name], param });
    }),
    open: { ...read, questions: open.map(({ question }) => question), truths: open.map(({ truth }) => truth) },
  };
}

interface RecordedAnswer {
  readonly question: TypedQuestion;
  readonly truth: number;
  readonly answer: unknown;
  readonly param: string;
}

/** An answer of the map form; none where the model declined. */
function readRecorded(
  read: DecisionQuestions,
  { question, truth, answer, param }: RecordedAnswer,
): CalibrationSample[] {
  const one = { ...read, questions: [question] };
  const { calibration, voters, escalated, method = "tokens" } = (answer ?? {}) as Partial<MapAnswer>;
  if (calibration !== undefined)
    throw invalid(param, "has gone through a map; ask with `calibration: false` for the model's own probabilities");
  if (voters !== undefined || escalated !== undefined) throw invalid(param, "is the answer of several models");
  if (!(["native", "tokens", "tool"] as const).includes(method))
    throw invalid(`${param}.method`, "is no way of asking");
  const outcomes = readAnswers(one, { [question.name]: answer });
  if ("problem" in outcomes) throw invalid(param, outcomes.problem);
  const [outcome] = outcomes;
  return outcome?.kind === "decided" ? [{ question, truth, method, distribution: outcome.distribution }] : [];
}

interface OpenCase {
  readonly open: OpenQuestions;
  readonly ask: AskModel;
}

async function askOpen(
  { cases: _cases, name: _name, kind: _kind, ...asking }: CalibrationRequest,
  { state }: Case,
  { open, ask }: OpenCase,
): Promise<CalibrationSample[]> {
  const names = new Set(open.questions.map(({ name }) => name));
  const questions = Object.fromEntries(Object.entries(asking.questions).filter(([name]) => names.has(name)));
  const decided = await ask({ ...asking, state, questions, calibration: false });
  const answers = decided.answers as Record<string, MapAnswer>;
  return open.questions.flatMap((question, at) => {
    const [truth, answer] = [open.truths[at] as number, answers[question.name]];
    return readRecorded(open, { question, truth, answer, param: `questions.${question.name}` });
  });
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
