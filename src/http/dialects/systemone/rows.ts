import { DecisionMapRequest } from "../../../engine/api/decisions.ts";
import { type Operation, op } from "../../../operations/define.ts";
import { routes } from "./routes.ts";
import * as schema from "./schema.ts";

const decision = { in: DecisionMapRequest, out: schema.SystemoneResponse };

/** The rows of System One's interface. */
export const rows = {
  systemone_decide: op(routes.systemone_decide, "virtual_key", "Answer typed questions, as System One does", decision),
  systemone_models: op(routes.systemone_models, "virtual_key", "List models, as System One does", {
    out: schema.SystemoneModelList,
  }),
  decide_systemone: op(routes.decide_systemone, "virtual_key", "Answer typed questions, as System One does", decision),
} satisfies Record<keyof typeof routes, Operation>;
