import type { RequestHandler } from "../../context.ts";
import { answerSystemone } from "./decide.ts";
import { answerSystemoneModels } from "./models.ts";

/** The handler of each operation. */
export const handlers = {
  systemone_decide: answerSystemone,
  systemone_models: answerSystemoneModels,
  decide_systemone: answerSystemone,
} satisfies Record<string, RequestHandler>;
