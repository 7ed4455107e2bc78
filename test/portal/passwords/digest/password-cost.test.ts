import { expect, it } from "vitest";
import { createPasswordDigest } from "../../../../src/portal/passwords/digest.ts";
import { asked } from "../../../tiers/cheap-scrypt.ts";

it("a password costs 2¹⁷ blocks of scrypt, 128 MiB", async () => {
  await createPasswordDigest()("a password", Buffer.from("salt"));
  expect(asked.last).toMatchObject({ N: 2 ** 17, r: 8, p: 1 });
});
