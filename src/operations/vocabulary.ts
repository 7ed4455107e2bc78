import * as common from "../api/common.ts";
import * as error from "../api/error.ts";
import * as message from "../api/message.ts";
import * as tools from "../api/tools.ts";
import * as usage from "../api/usage.ts";

/** The schemas that several operations share, by name. */
export const sharedSchemas: Readonly<Record<string, unknown>> = { ...common, ...error, ...message, ...tools, ...usage };
