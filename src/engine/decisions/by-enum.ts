import type { ChatResponse } from "../api/chat.ts";
import { inOrder, labelsIn, readAlternatives, type TokenForm, type TokenReading, tokensByEnum } from "./by-token.ts";
import { mostByToken } from "./labels.ts";
import { promptFor, type QuestionBody } from "./prompt.ts";
import type { DecisionQuestions, TypedQuestion } from "./question.ts";

const field = "answer";

/**
 * The request that makes a chat model choose a label under a schema that allows nothing else, with log probabilities: for models that would
 * begin an answer with other words.
 */
export function askByEnum(questions: DecisionQuestions, question: TypedQuestion, form: TokenForm): QuestionBody {
  const shown = inOrder(question, form.order);
  const labels = labelsIn(shown, form.labels);
  const { lacksSystemRole } = form;
  const what = form.labels === "words" ? "one of the options, word for word" : "the letter of one option";
  const task = `Answer with the JSON object {"${field}": …}, in which \`${field}\` is ${what}.`;
  const schema = {
    type: "object",
    properties: { [field]: { type: "string", enum: [...labels] } },
    required: [field],
    additionalProperties: false,
  };
  return {
    messages: promptFor(questions, shown, { task, labels, lacksSystemRole }),
    max_completion_tokens: tokensByEnum,
    logprobs: true,
    top_logprobs: form.alternatives ?? mostByToken,
    response_format: { type: "json_schema", json_schema: { name: field, strict: true, schema } },
  };
}

/** Everything in front of the label. */
const opening = new RegExp(`^\\s*\\{\\s*"${field}"\\s*:\\s*"`);

/**
 * The shares of the labels among the alternatives of the token with which the label begins. That token may begin with a part of what is in
 * front of the label; alternatives that begin otherwise are of no label. `undefined` where there is no such object, or no log probability.
 */
export function readByEnum(question: TypedQuestion, answer: ChatResponse, form: TokenForm): TokenReading | undefined {
  const tokens = answer.choices[0]?.log_probs?.content ?? [];
  const [opened] = opening.exec(tokens.map(({ token }) => token).join("")) ?? [];
  if (opened === undefined) return undefined;
  let at = 0;
  for (const chosen of tokens) {
    const { token, top_logprobs: listed } = chosen;
    if (at + token.length > opened.length) {
      const before = token.slice(0, opened.length - at);
      const all = listed?.length ? listed : [chosen];
      const fitting = all
        .filter((one) => one.token.startsWith(before))
        .map(({ token: whole, logprob }) => ({ token: whole.slice(before.length).replace(/"[\s}]*$/, ""), logprob }));
      return readAlternatives(question, fitting, form);
    }
    at += token.length;
  }
  return undefined;
}
