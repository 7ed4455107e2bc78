/** The name of a bucket beyond its length, 3 to 63 characters (Amazon S3, "Bucket naming rules"). */
export const bucketNameForm = /^[a-z0-9](?:\.?[a-z0-9-])*\.?[a-z0-9]$/;
