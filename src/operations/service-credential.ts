import { z } from "zod";
import { GatewayError } from "../errors.ts";
import { describeIssues } from "../issues.ts";

/** Without control characters: Basic must not carry them (RFC 7617, section 2), and the line end of a file is part of no secret. */
const text = z
  .string()
  .min(1)
  .regex(/^\P{Cc}*$/u, "must not hold control characters, such as the end of a line");

/**
 * The service credential: who the operators of a gateway say they are under its `/api` (inference-resolved.md, section 2). User and
 * password, a token, or both, of which either is then enough. An empty one is refused: it would be no credential.
 */
export const ServiceShape = z
  .strictObject({
    user: text.regex(/^[^:]*$/, "must not hold a colon, which ends the user of Basic").optional(),
    password: text.optional(),
    token: z
      .string()
      .min(1)
      .regex(/^[!-~]*$/, "must be ASCII without spaces, since it is sent as it is")
      .optional(),
  })
  .superRefine(({ user, password, token }, context) => {
    const fault = (message: string, ...path: string[]) => context.addIssue({ code: "custom", path, message });
    if (user !== undefined && password === undefined) fault("is missing beside `user`", "password");
    else if (password !== undefined && user === undefined) fault("is missing beside `password`", "user");
    else if (user === undefined && token === undefined) fault("needs `user` and `password`, or `token`, or all three");
  });

export type ServiceOptions = z.output<typeof ServiceShape>;

/** Checks a service credential; throws `invalid_configuration` naming the field, and no value. */
export function checkService(service: unknown): ServiceOptions {
  const checked = ServiceShape.safeParse(service);
  if (checked.success) return checked.data;
  const { param, message } = describeIssues(checked.error.issues);
  throw misfit(param === undefined ? "service" : `service.${param}`, message);
}

/** The same for the gateway that asks for it: a token that would be read as a virtual key could never be sent. */
export function checkOwnService(service: unknown, keyPrefix: string): ServiceOptions {
  const checked = checkService(service);
  const problem = clashOf(checked, keyPrefix);
  if (problem !== undefined) throw misfit("service.token", problem);
  return checked;
}

/** What is wrong with a token that begins as virtual keys do; undefined where there is no such token. */
export function clashOf({ token = "" }: ServiceOptions, keyPrefix: string): string | undefined {
  if (!token.toLowerCase().startsWith(keyPrefix.toLowerCase())) return undefined;
  return `must not begin with ${keyPrefix}, as virtual keys do, which are not accepted there`;
}

function misfit(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_configuration", `\`${param}\`: ${problem}.`, { param });
}

/** The value of `authorization` that carries the credential; by its token where it has one. */
export function authorizationOf({ user, password, token }: ServiceOptions): string {
  return token === undefined ? `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` : `Bearer ${token}`;
}
