import { askByEnum, readByEnum } from "../../../decisions/by-enum.ts";
import { askByToken, fitsToken, readByToken, type TokenForm, type TokenReading } from "../../../decisions/by-token.ts";
import { type Distribution, share } from "../../../decisions/distribution.ts";
import { isSettled, meanOf, ordersOf } from "../../../decisions/orders.ts";
import type { QuestionOutcome } from "../../../decisions/outcome.ts";
import type { DecisionQuestions, TypedQuestion } from "../../../decisions/question.ts";
import { askFitting, type ChatDecision, isRefusal } from "./chat-calls.ts";
import { isRefusalOfForm, noSchema, refusesLogprobs, reserveOtherForms } from "./forms.ts";

/** Share of the first token that the labels must have together unless the request says otherwise. */
const leastMass = 0.5;
/** Orders of one question that are asked at once. */
const ordersTogether = 2;

/**
 * The answer by the probabilities of one token, over as many orders of the options as the request asks for and the readings need.
 * `undefined` where the model is known or turns out to give no probabilities of the labels, or hardly any: the next way is taken then.
 */
export async function answerByToken(
  decision: ChatDecision,
  question: TypedQuestion,
): Promise<QuestionOutcome | undefined> {
  const { attempt, parts, request } = decision;
  const { deciders } = attempt.call.ports;
  const { name } = attempt.target;
  const isForced = request.method === "tokens";
  if (!fitsToken(question) || parts.withoutLogprobs.has(question.name)) return undefined;
  if (deciders.lacksLogprobs(name) && !isForced) return undefined;
  try {
    const read = await readOrders(decision, question, byToken);
    const readings = read === "unclear" ? await readUnderSchema(decision, question) : read;
    if (readings === "refused") return { kind: "refused", method: "tokens" };
    const isRead = readings !== undefined && readings !== "unclear";
    deciders.noteLogprobs(name, isRead);
    if (!isRead) parts.withoutLogprobs.add(question.name);
    return isRead ? await decided(decision, question, readings) : undefined;
  } catch (thrown) {
    if (isForced || !isRefusalOfForm(thrown)) throw thrown;
    if (refusesLogprobs(thrown)) deciders.refuseLogprobs(name);
    return undefined;
  }
}

async function decided(
  decision: ChatDecision,
  question: TypedQuestion,
  readings: readonly TokenReading[],
): Promise<QuestionOutcome> {
  const mean = meanOf(readings.map(({ distribution }) => distribution));
  const mass = readings.reduce((sum, reading) => sum + reading.mass, 0) / readings.length;
  const prior = decision.request.prior ? await readPrior(decision, question, readings.length) : undefined;
  const distribution = (prior && share(mean.map((weight, at) => weight / (prior[at] as number)))) ?? mean;
  return { kind: "decided", method: "tokens", distribution, mass, orders: readings.length };
}

/** A form of a question in which one token chooses the option. */
interface TokenWay {
  readonly name: "token" | "enum";
  readonly ask: typeof askByToken;
  readonly read: typeof readByToken;
}

const byToken: TokenWay = { name: "token", ask: askByToken, read: readByToken };
const byEnum: TokenWay = { name: "enum", ask: askByEnum, read: readByEnum };

/** Readings; `unclear` where there are probabilities and the labels have hardly any of them, `undefined` where there are none. */
type Readings = readonly TokenReading[] | "refused" | "unclear" | undefined;

/** The same under a schema that allows nothing but the labels, for models that would begin with other words; `undefined` where they take none. */
async function readUnderSchema(decision: ChatDecision, question: TypedQuestion): Promise<Readings> {
  const { attempt, request } = decision;
  const { deciders } = attempt.call.ports;
  const { name } = attempt.target;
  if (deciders.traitsOf(name).lacksSchema) return undefined;
  await reserveOtherForms(attempt, request, question);
  try {
    return await readOrders(decision, question, byEnum);
  } catch (thrown) {
    if (!isRefusalOfForm(thrown)) throw thrown;
    if (thrown === noSchema || /response_format|json_?schema|structured/i.test(thrown.message))
      deciders.learn(name, { lacksSchema: true });
    return undefined;
  }
}

/** Readings of the orders that are needed. */
async function readOrders(decision: ChatDecision, question: TypedQuestion, way: TokenWay): Promise<Readings> {
  const orders = ordersOf(question.options.length, decision.request.permutations ?? 1);
  const readings: TokenReading[] = [];
  while (
    !isSettled(
      readings.map(({ distribution }) => distribution),
      orders.length,
    )
  ) {
    const next = orders.slice(readings.length, readings.length + ordersTogether);
    for (const reading of await Promise.all(next.map((order) => readOrder(decision, { question, way }, order)))) {
      if (reading === undefined || typeof reading === "string") return reading;
      readings.push(reading);
    }
  }
  return readings;
}

/** One order; what a try before has read is not asked again. */
async function readOrder(
  decision: ChatDecision,
  { question, way }: { readonly question: TypedQuestion; readonly way: TokenWay },
  order: readonly number[],
): Promise<TokenReading | "refused" | "unclear" | undefined> {
  const { parts, questions, request } = decision;
  const key = `${question.name}\n${way.name} ${order.join()}`;
  const known = parts.readings.get(key);
  if (known) return known;
  const form: TokenForm = { order, labels: request.labels ?? "letters" };
  const reported = await askFitting(decision, (traits) => way.ask(questions, question, { ...form, ...traits }));
  const reading = way.read(question, reported, form);
  if (!reading || !hasMass(decision, question, reading)) {
    if (isRefusal(reported)) return "refused";
    return reported.choices[0]?.log_probs?.content?.length ? "unclear" : undefined;
  }
  parts.readings.set(key, reading);
  return reading;
}

/** False where the labels have too little of the token. Where no other way is allowed, the answer stands, and a warning says so. */
function hasMass({ attempt, request }: ChatDecision, { name }: TypedQuestion, { mass }: TokenReading): boolean {
  const { min_mass = leastMass } = request;
  if (mass >= min_mass) return true;
  if (request.method !== "tokens") return false;
  const percent = (mass * 100).toPrecision(2);
  attempt.warn(`the options of \`${name}\` had ${percent} % of the first token: its probabilities say little`);
  return true;
}

/** What the model answers about an empty state, in the same orders; kept, as it does not depend on the state. */
async function readPrior(
  decision: ChatDecision,
  question: TypedQuestion,
  count: number,
): Promise<Distribution | undefined> {
  const { questions, request, attempt } = decision;
  const { priors } = attempt.call.ports.deciders;
  const { kind, instructions, options } = question;
  const { labels, examples } = request;
  const key = JSON.stringify([attempt.target.name, kind, instructions, options, labels, examples, count]);
  const known = priors.get(key);
  if (known) return known;
  const empty: DecisionQuestions = { ...questions, situation: { kind: "value", value: "N/A", pictures: [] } };
  const form = { labels: labels ?? "letters" } as const;
  const orders = ordersOf(options.length, count);
  const readings = await Promise.all(
    orders.map(async (order) => {
      const reported = await askFitting(decision, (traits) =>
        askByToken(empty, question, { ...form, order, ...traits }),
      );
      return readByToken(question, reported, { ...form, order });
    }),
  );
  const read = readings.filter((reading) => reading !== undefined);
  if (read.length < readings.length) return undefined;
  const prior = meanOf(read.map(({ distribution }) => distribution));
  priors.set(key, prior);
  return prior;
}
