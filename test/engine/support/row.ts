/** A value that is refused, with the dotted name of the field at fault. */
export interface Refused {
  readonly value: unknown;
  readonly param: string;
}

/** Per field: values that pass, and values that do not; `at` names a field inside, the others are at fault themselves. */
export type Rows = Record<string, { readonly valid: readonly unknown[]; readonly invalid: readonly unknown[] }>;

const notText = [1, true, {}, []];
export const notNumber = ["1", true, {}];
const notBoolean = ["true", 1, {}];
export const notInteger = [1.5, "1", true];
export const text = { valid: ["x", ""], invalid: notText };
export const flag = { valid: [true, false], invalid: notBoolean };
export const at = (value: unknown, param: string): Refused => ({ value, param });

export const messages = [{ role: "user", content: "hi" }];
