import type { Ports } from "../../runtime/ports.ts";
import type { StoredQuestion, StoredResponses } from "./stored-responses.ts";

/** The stored responses of an engine. What asks for them is loaded with the first request: most programs have none. */
export function storedResponsesOf(ports: Ports): StoredResponses {
  let loaded: Promise<typeof import("./ask.ts")> | undefined;
  const ask = async (question: StoredQuestion) => {
    loaded ??= import("./ask.ts");
    return (await loaded).askStoredResponse(ports, question);
  };
  return {
    retrieve: (id, query, options) => ask({ action: "retrieve", id, query, options }),
    delete: (id, options) => ask({ action: "delete", id, options }),
    cancel: (id, options) => ask({ action: "cancel", id, options }),
    inputItems: (id, query, options) => ask({ action: "input_items", id, query, options }),
  };
}
