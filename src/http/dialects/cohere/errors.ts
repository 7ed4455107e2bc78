import { messageOf, refusal } from "../../response/errors.ts";
import type { Refuse } from "../shared/dialect.ts";

/** An error in the vendor's shape: a message and an id; code and field are ours. */
export const refuse: Refuse = (error, { eventId }) => {
  const { upstream, code } = error;
  const param = upstream === undefined ? error.param : upstream.param;
  const finer = { code: upstream?.code ?? code, ...(param === undefined ? {} : { param }), ...error.blocked };
  return refusal(error, { id: eventId, message: messageOf(error), ...finer });
};
