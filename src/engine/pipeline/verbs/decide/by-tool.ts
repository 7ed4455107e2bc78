import { askByTool, readByTool } from "../../../decisions/by-tool.ts";
import type { QuestionOutcome } from "../../../decisions/outcome.ts";
import type { TypedQuestion } from "../../../decisions/question.ts";
import { askFitting, type ChatDecision, isRefusal } from "./chat-calls.ts";
import { reserveOtherForms } from "./forms.ts";
import { badAnswer } from "./natively.ts";

/** The answer by a tool that the model must call; throws where what it states is no distribution over the options. */
export async function answerByTool(decision: ChatDecision, question: TypedQuestion): Promise<QuestionOutcome> {
  const { attempt, request } = decision;
  await reserveOtherForms(attempt, request, question);
  const reported = await askFitting(decision, (traits) => askByTool(decision.questions, question, traits));
  const distribution = readByTool(question, reported);
  if (distribution) return { kind: "decided", method: "tool", distribution };
  if (isRefusal(reported)) return { kind: "refused", method: "tool" };
  throw badAnswer(attempt, { question: question.name, problem: "is no distribution over the options" });
}
