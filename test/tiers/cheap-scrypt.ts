import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const { scrypt } = crypto;

/** The cost of a password in the fast suites: 2¹⁰ blocks in place of 2¹⁷, a hundredth of the time. */
const cheapest = 2 ** 10;

/** What the portal asked of scrypt last; `password-cost.test.ts` checks it. The real cost runs in test/e2e and test/console. */
export const asked: { last?: ScryptOptions } = {};

type Parameters = [BinaryLike, BinaryLike, number, ScryptOptions, (error: Error | null, key: Buffer) => void];

const cheapScrypt = (...[password, salt, length, options, done]: Parameters) => {
  asked.last = options;
  scrypt(password, salt, length, { ...options, N: Math.min(cheapest, options.N ?? cheapest) }, done);
};

Object.assign(crypto, { scrypt: cheapScrypt });
syncBuiltinESMExports();
