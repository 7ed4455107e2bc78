import { expect, test } from "vitest";
import { z } from "zod";
import { op, type ParamsOf } from "../../src/operations/define.ts";

test("a row knows method, path and the path's parameters in order", () => {
  const row = op("DELETE /backup/{backup_id}/unassign/{policy_id}", "unassign_backup_policy-delete", "Unassign");
  expect(row).toMatchObject({
    method: "DELETE",
    path: "/backup/{backup_id}/unassign/{policy_id}",
    params: ["backup_id", "policy_id"],
    input: undefined,
    output: undefined,
    isExtension: false,
  });
});

test("parameters are read from the route by the types", () => {
  const both: ParamsOf<"/backup/{backup_id}/unassign/{policy_id}">[] = ["backup_id", "policy_id"];
  // @ts-expect-error: no parameter of that name
  const other: ParamsOf<"/backup/{backup_id}"> = "policy_id";
  // @ts-expect-error: a path without parameters has none
  const none: ParamsOf<"/backups"> = "backup_id";
  expect([...both, other, none]).toHaveLength(4);
});

test("a rest of the path is a parameter under its bare name", () => {
  const row = op("POST /models/{+model}:generate", "virtual_key", "Generate");
  expect(row.params).toEqual(["model"]);
  const name: ParamsOf<"/models/{+model}:generate"> = "model";
  expect(name).toBe("model");
});

test("a permission whose suffix is not the method does not compile", () => {
  // @ts-expect-error: the permission of another method
  expect(op("GET /backup/{backup_id}", "backup-patch", "Read one backup").method).toBe("GET");
  // @ts-expect-error: no such method
  expect(op("FETCH /backup", "backup-get", "Read")).toBeDefined();
});

test("a record of fields refuses fields of other names, a schema is taken as it is", () => {
  const closed = op("PATCH /backup/{backup_id}/extend", "extend_backup_time-patch", "Keep longer", {
    in: { ttl: z.string() },
  });
  expect(closed.input?.safeParse({ ttl: "30d", tll: 1 }).success).toBe(false);
  expect(closed.input?.parse({ ttl: "30d" }).ttl).toBe("30d");
  const schema = z.looseObject({ ttl: z.string() });
  expect(op("PATCH /x", "x-patch", "X", { in: schema }).input).toBe(schema);
});
