import { DecisionListRequest, DecisionMapRequest, type DecisionRequest } from "../../../api/decisions.ts";
import { GatewayError } from "../../../errors.ts";
import { requestParserOf } from "../../call/parse.ts";

const parseMap = requestParserOf(DecisionMapRequest);
const parseList = requestParserOf(DecisionListRequest);

/** Reads a request for decisions in either form; throws `invalid_request` with the offending field in `param`. */
export function parseDecision(input: unknown): DecisionRequest {
  if (isFields(input)) for (const path of unnameable(input)) throw invalid(path, "cannot be the name of anything");
  const isList = isFields(input) && Array.isArray(input.questions);
  const request = isList ? parseList(input) : parseMap(input);
  const [own, other] = isList ? (["input", "state"] as const) : (["state", "input"] as const);
  // If it were ignored, the decision would be about nothing, with probabilities that look like any other.
  if (isFields(input) && (input[other] ?? undefined) !== undefined)
    throw invalid(other, `belongs to the other form; questions in ${isList ? "a list" : "a map"} are about \`${own}\``);
  if (request.stream === true) throw invalid("stream", "decisions are not streamed");
  checkVotes(request);
  return request;
}

/** What the fields on several models say together. */
function checkVotes({ votes, min_votes: least, questions }: DecisionRequest): void {
  if (votes === undefined && least !== undefined) throw invalid("min_votes", "needs `votes`");
  if (votes === undefined) return;
  if (least !== undefined && least > votes.length + 1)
    throw invalid("min_votes", `there are ${votes.length + 1} voters, the asked model among them`);
  if (Object.values(questions).some((question) => "kind" in question && question.kind === "box"))
    throw invalid("votes", "places in pictures have no mean");
}

type RequestFields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is RequestFields {
  return typeof value === "object" && value !== null;
}

/** Questions and options named `__proto__`: schemas omit such a field in silence. */
function unnameable({ questions }: RequestFields): string[] {
  if (!isFields(questions)) return [];
  const paths = Object.hasOwn(questions, "__proto__") ? ["questions.__proto__"] : [];
  for (const [name, question] of Object.entries(questions)) {
    if (isFields(question) && isFields(question.criteria) && Object.hasOwn(question.criteria, "__proto__"))
      paths.push(`questions.${name}.criteria.__proto__`);
  }
  return paths;
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
