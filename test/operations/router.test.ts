import { expect, test } from "vitest";
import { createRouter } from "../../src/operations/router.ts";

const routes = [
  "GET /backups",
  "GET /backups/{resource_id}",
  "PATCH /backups/refresh_resources",
  "GET /cluster/cloudprofile/{cloudprofilename}",
  "GET /cluster/cloudprofile/{cloudprofilename}/images",
  "GET /cluster/{namespace}/shoots",
  "POST /cluster/{namespace}/shoots",
  "GET /cluster/{namespace}/shoots/{shoot_name}",
  "DELETE /cluster/{namespace}/shoots/{shoot_name}",
].map((route) => ({ method: route.slice(0, route.indexOf(" ")), path: route.slice(route.indexOf(" ") + 1) }));
const match = createRouter(routes);
const rests = createRouter([
  { method: "GET", path: "/models" },
  { method: "GET", path: "/models/{+model}" },
  { method: "POST", path: "/models/{+model}:generate" },
  { method: "POST", path: "/models/{+model}:streamGenerate" },
  { method: "GET", path: "/models/{model}/versions" },
]);
const foundRest = (method: string, path: string) => {
  const result = rests(method, path);
  return result.kind === "found" ? [result.row.path, { ...result.params }] : result;
};
const found = (method: string, path: string) => {
  const result = match(method, path);
  return result.kind === "found" ? [`${result.row.method} ${result.row.path}`, { ...result.params }] : result;
};

test("a path without parameters is found whole", () => {
  expect(found("GET", "/backups")).toEqual(["GET /backups", {}]);
});

test("a literal segment wins over a parameter", () => {
  expect(found("PATCH", "/backups/refresh_resources")).toEqual(["PATCH /backups/refresh_resources", {}]);
  expect(found("GET", "/cluster/cloudprofile/shoots")).toEqual([
    "GET /cluster/cloudprofile/{cloudprofilename}",
    { cloudprofilename: "shoots" },
  ]);
});

test("where a literal leads nowhere the search goes back to the parameter", () => {
  expect(found("GET", "/cluster/cloudprofile/shoots/s1")).toEqual([
    "GET /cluster/{namespace}/shoots/{shoot_name}",
    { namespace: "cloudprofile", shoot_name: "s1" },
  ]);
});

test("where the literal row has another method the search goes back as well", () => {
  expect(found("POST", "/cluster/cloudprofile/shoots")).toEqual([
    "POST /cluster/{namespace}/shoots",
    { namespace: "cloudprofile" },
  ]);
  expect(found("GET", "/backups/refresh_resources")).toEqual([
    "GET /backups/{resource_id}",
    { resource_id: "refresh_resources" },
  ]);
});

test("a known path under other methods says which", () => {
  expect(match("PUT", "/cluster/n/shoots/s")).toEqual({ kind: "other_methods", methods: ["GET", "DELETE"] });
  expect(match("PUT", "/backups/refresh_resources")).toEqual({ kind: "other_methods", methods: ["PATCH", "GET"] });
});

test.each(["", "/", "*", "backups", "/backups/", "//backups", "/backups/a/b", "/cluster//shoots", "/BACKUPS"])(
  "%j is unknown",
  (path) => {
    expect(match("GET", path)).toEqual({ kind: "unknown" });
  },
);

test("parameters are decoded, literals are not", () => {
  expect(found("GET", "/backups/a%2Fb%20c")).toEqual(["GET /backups/{resource_id}", { resource_id: "a/b c" }]);
  expect(match("GET", "/b%61ckups")).toEqual({ kind: "unknown" });
});

test("broken percent-encoding is the caller's fault and names the parameter", () => {
  expect(() => match("GET", "/backups/%E0%A4")).toThrow(
    expect.objectContaining({ code: "invalid_request", param: "resource_id" }),
  );
});

test("two rows of one method and shape are refused at start-up, whatever their parameters are called", () => {
  const twins = [
    { method: "GET", path: "/a/{x}" },
    { method: "GET", path: "/a/{y}" },
  ];
  expect(() => createRouter(twins)).toThrow(/GET \/a\/\{x\} and GET \/a\/\{y\}/);
});

test("a rest takes all that is left of the path, slashes included, up to its suffix", () => {
  expect(foundRest("POST", "/models/a/b/c:generate")).toEqual(["/models/{+model}:generate", { model: "a/b/c" }]);
  expect(foundRest("POST", "/models/a:8b:streamGenerate")).toEqual([
    "/models/{+model}:streamGenerate",
    { model: "a:8b" },
  ]);
  expect(foundRest("POST", "/models/a%2Fb%3Agenerate")).toEqual(["/models/{+model}:generate", { model: "a/b" }]);
  expect(foundRest("GET", "/models/a/b:generate")).toEqual(["/models/{+model}", { model: "a/b:generate" }]);
});

test("literals and parameters win over a rest", () => {
  expect(foundRest("GET", "/models")).toEqual(["/models", {}]);
  expect(foundRest("GET", "/models/a/versions")).toEqual(["/models/{model}/versions", { model: "a" }]);
  expect(foundRest("GET", "/models/a/b/versions")).toEqual(["/models/{+model}", { model: "a/b/versions" }]);
});

test("a rest is never empty, and other methods of its path are known", () => {
  expect(foundRest("POST", "/models/:generate")).toEqual({ kind: "other_methods", methods: ["GET"] });
  expect(foundRest("GET", "/models/")).toEqual({ kind: "unknown" });
  expect(foundRest("DELETE", "/models/a:generate")).toEqual({ kind: "other_methods", methods: ["POST", "GET"] });
});

test("broken percent-encoding in a rest is the caller's fault and names the parameter", () => {
  expect(() => rests("POST", "/models/%E0%A4:generate")).toThrow(
    expect.objectContaining({ code: "invalid_request", param: "model" }),
  );
});

test("nothing can follow a rest, and two rests of one suffix are one route", () => {
  expect(() => createRouter([{ method: "GET", path: "/a/{+x}/b" }])).toThrow(/follow a rest/);
  const twins = [
    { method: "GET", path: "/a/{+x}:y" },
    { method: "GET", path: "/a/{+z}:y" },
  ];
  expect(() => createRouter(twins)).toThrow(/share one route/);
});
