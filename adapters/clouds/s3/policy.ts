import { z } from "zod";
import { GatewayError } from "../../../src/engine/errors.ts";

const Statement = z.looseObject({ Sid: z.string().optional() });

/** A bucket policy; statements of others are kept as they are. */
const BucketPolicy = z.looseObject({
  Version: z.string().optional(),
  Statement: z.union([z.array(Statement), Statement.transform((one) => [one])]).optional(),
});
export type BucketPolicy = z.output<typeof BucketPolicy>;

/** Parses what the store holds; a bucket without a policy has an empty one. Throws `conflict` for a policy that cannot be read. */
export function readPolicy(text: string | undefined): BucketPolicy {
  if (text === undefined || text === "") return {};
  try {
    return BucketPolicy.parse(JSON.parse(text));
  } catch (thrown) {
    throw new GatewayError("conflict", "The bucket has a policy that cannot be read, and is left alone.", {
      cause: thrown,
    });
  }
}

/** What lets one more project read a bucket. */
export interface ReadGrant {
  /** Names the statement: letters and digits. */
  readonly id: string;
  readonly bucket: string;
  readonly principal: string;
}

/** The policy with one more reader; what others wrote into it stays. */
export function withGrant(policy: BucketPolicy, { id, bucket, principal }: ReadGrant): BucketPolicy {
  const statement = {
    Sid: id,
    Effect: "Allow",
    Principal: { AWS: [principal] },
    Action: ["s3:GetBucketLocation", "s3:ListBucket", "s3:GetObject"],
    Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
  };
  const { Statement: statements = [], ...rest } = withoutGrants(policy, [id]);
  return { Version: "2012-10-17", ...rest, Statement: [...statements, statement] };
}

/** The policy without our statements of these ids. */
export function withoutGrants(policy: BucketPolicy, ids: readonly string[]): BucketPolicy {
  const { Statement: statements = [], ...rest } = policy;
  return { ...rest, Statement: statements.filter(({ Sid }) => Sid === undefined || !ids.includes(Sid)) };
}

/** Whether nothing is left that a policy is for. */
export function isEmpty({ Statement: statements = [] }: BucketPolicy): boolean {
  return statements.length === 0;
}
