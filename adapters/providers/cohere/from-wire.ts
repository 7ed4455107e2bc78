import type { ChatResponse } from "../../../src/engine/api/chat.ts";
import { readLogProbs } from "../../../src/engine/dialects/cohere/log-probs.ts";
import { readUsage } from "../../../src/engine/dialects/cohere/usage.ts";
import { isRecord, optionalText } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { reading } from "../../shared/chat/lenient.ts";
import { withoutNullsWithin } from "../../shared/chat/without-nulls.ts";
import { finishReasonOf, isFailure } from "./finish.ts";
import { readMessage } from "./message.ts";
import type { CohereWireAnswer } from "./wire.ts";

/** What reading knows of its target, and whom it asks for the error that a reason is. */
export interface ReadingContext extends Translation {
  fault(reason: string, message?: string): GatewayError;
}

/** Reads the answer of `POST /v2/chat`; throws `upstream_invalid_response` when it holds no message. */
export const fromWire = reading(readWhole);

function readWhole(body: unknown, context: ReadingContext): ChatResponse {
  const raw = withoutNullsWithin(body);
  if (!isRecord(raw) || !isRecord(raw.message)) {
    throw new GatewayError("upstream_invalid_response", `The answer of ${context.provider} holds no message.`);
  }
  const answer: CohereWireAnswer = raw;
  const { finish_reason: reason, message = {} } = answer;
  if (reason !== undefined && isFailure(reason)) throw context.fault(reason);
  const usage = readUsage(answer.usage);
  const logProbs = readLogProbs(answer.logprobs);
  const { id, model, startedAt } = context.call;
  return {
    id: optionalText(answer.id) ?? id,
    object: "chat.completion",
    created: Math.floor(startedAt / 1000),
    model,
    choices: [
      {
        index: 0,
        finish_reason: finishReasonOf(reason, context),
        message: readMessage(message, context),
        ...(logProbs === undefined ? {} : { log_probs: logProbs }),
      },
    ],
    ...(usage === undefined ? {} : { usage }),
  };
}
