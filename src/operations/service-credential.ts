import { z } from "zod";
import { GatewayError } from "../engine/errors.ts";
import { describeSchemaFault } from "../engine/options/schema-fault.ts";

/** Without control characters: Basic must not carry them (RFC 7617, section 2), and the line end of a file is part of no secret. */
const text = z
  .string()
  .min(1)
  .regex(/^\P{Cc}*$/u, "must not contain control characters, such as a line end");

/**
 * The service credential of a gateway's operators under its `/api` (inference-resolved.md, section 2): user and password, a token, or
 * both, of which either is then enough. An empty one is refused.
 */
export const ServiceShape = z
  .strictObject({
    user: text
      .regex(/^[^:]*$/, "must not contain a colon, which ends the user name in Basic authentication")
      .optional(),
    password: text.optional(),
    token: z
      .string()
      .min(1)
      .regex(/^[!-~]*$/, "must be ASCII without spaces, because it is sent unchanged")
      .optional(),
  })
  .superRefine(({ user, password, token }, context) => {
    const fault = (message: string, ...path: string[]) => context.addIssue({ code: "custom", path, message });
    if (user !== undefined && password === undefined) fault("is required with `user`", "password");
    else if (password !== undefined && user === undefined) fault("is required with `password`", "user");
    else if (user === undefined && token === undefined) fault("needs `user` and `password`, or `token`, or all three");
  });

export type ServiceOptions = z.output<typeof ServiceShape>;

/** Checks a service credential; throws `invalid_configuration` naming the field, and no value. */
export function checkService(service: unknown): ServiceOptions {
  const checked = ServiceShape.safeParse(service);
  if (checked.success) return checked.data;
  const { param, message } = describeSchemaFault(ServiceShape, checked.error);
  throw misfit(param === undefined ? "service" : `service.${param}`, message);
}

/** The same for the gateway that requires it. Refuses a token that would be read as a virtual key, because it could never be used. */
export function checkOwnService(service: unknown, keyPrefix: string): ServiceOptions {
  const checked = checkService(service);
  const problem = clashOf(checked, keyPrefix);
  if (problem !== undefined) throw misfit("service.token", problem);
  return checked;
}

/** Returns the problem of a token with the prefix of virtual keys; undefined for any other. */
export function clashOf({ token = "" }: ServiceOptions, keyPrefix: string): string | undefined {
  if (!token.toLowerCase().startsWith(keyPrefix.toLowerCase())) return undefined;
  return `must not begin with ${keyPrefix}, the prefix of virtual keys, which are not accepted there`;
}

function misfit(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_configuration", `\`${param}\`: ${problem}.`, { param });
}

/** Returns the `authorization` header for the credential: its token where it has one, else user and password. */
export function authorizationOf({ user, password, token }: ServiceOptions): string {
  return token === undefined ? `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` : `Bearer ${token}`;
}
