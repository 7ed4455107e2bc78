import * as common from "../engine/api/common.ts";
import * as error from "../engine/api/error.ts";
import * as message from "../engine/api/message.ts";
import * as tools from "../engine/api/tools.ts";
import * as usage from "../engine/api/usage.ts";

/** The schemas that several operations share, by name. */
export const sharedSchemas: Readonly<Record<string, unknown>> = { ...common, ...error, ...message, ...tools, ...usage };
