import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ServiceName } from "../../../../adapters/clouds/openstack/client/apis.ts";
import { isUnanswered, refusalError } from "../../../../adapters/clouds/openstack/client/faults.ts";
import { type ErrorCode, errorTable, GatewayError } from "../../../../src/engine/errors.ts";
import faults from "../../../fixtures/openstack/faults.json" with { type: "json" };

const headers = { "content-type": "application/json", "x-openstack-request-id": "req-1b2c" };

const services: readonly ServiceName[] = ["identity", "compute", "volume", "network", "loadBalancer", "dns", "image"];

describe("refusals of the real services", () => {
  it.each(faults)("$service $status is $code: $says", ({ service, status, body, code, says }) => {
    const answer = { status, headers, body: JSON.stringify(body) };
    const error = refusalError({ service: service as ServiceName, answer });
    expect(error).toMatchObject({ code, status: errorTable[code as ErrorCode].status });
    expect((error.cause as Error).message).toContain(says);
    expect((error.cause as Error).message).toContain("(request req-1b2c)");
    expect(error.message).not.toContain("req-1b2c");
  });

  it("say nothing of what services write: no id, no host, no constraint, whatever the text", () => {
    fc.assert(
      fc.property(fc.constantFrom(...services), fc.constantFrom(...faults), fc.uuid(), (service, fault, id) => {
        const body = JSON.stringify(fault.body).replace(
          JSON.stringify(fault.says).slice(1, -1),
          `${JSON.stringify(fault.says).slice(1, -1)} on host node-7 (sqlite3.IntegrityError) UNIQUE constraint ${id}`,
        );
        const { message } = refusalError({ service, answer: { status: fault.status, headers, body } });
        expect(message).not.toMatch(/node-7|sqlite3|UNIQUE|[0-9a-f]{8}-[0-9a-f]{4}/);
      }),
    );
  });

  it("every service has one that says its quota is used up, and each says it differently", () => {
    const over = faults.filter(({ code }) => code === "quota_exceeded").map(({ service, status }) => [service, status]);
    expect(over).toEqual([
      ["compute", 403],
      ["volume", 413],
      ["network", 409],
      ["loadBalancer", 403],
    ]);
  });

  it("never show a secret that the request held, however the service quotes it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...services),
        fc.constantFrom(...faults),
        fc.string({ minLength: 8 }),
        (service, fault, secret) => {
          const quoted = JSON.stringify(fault.body).replace(
            JSON.stringify(fault.says).slice(1, -1),
            `'${secret.replaceAll(/["\\]/g, "x")}'`,
          );
          const answer = { status: fault.status, headers, body: quoted };
          const kept = secret.replaceAll(/["\\]/g, "x");
          const error = refusalError({ service, answer, isSecret: true });
          expect(`${error.message} ${(error.cause as Error).message}`).not.toContain(`'${kept}'`);
        },
      ),
    );
  });

  it.each(["", " \n"])("a message that says nothing (%j) is none: the fault's own name stands in for it", (message) => {
    const body = JSON.stringify({ itemNotFound: { code: 404, message } });
    const answer = { status: 404, headers: {}, body };
    const error = refusalError({ service: "compute", answer });
    expect(error.message).toBe("What was asked for is not there (Nova, 404).");
    expect((error.cause as Error).message).toBe("Nova answered 404: itemNotFound.");
  });

  it("are errors of the table for any status and any body, with a message that ends", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...services),
        fc.integer({ min: 400, max: 599 }),
        fc.jsonValue(),
        (service, status, body) => {
          const error = refusalError({ service, answer: { status, headers, body: JSON.stringify(body) } });
          const allowed: readonly ErrorCode[] = [
            "invalid_request",
            "not_found",
            "conflict",
            "quota_exceeded",
            "backend_error",
          ];
          expect(allowed).toContain(error.code);
          expect(error.message.length).toBeLessThan(1_300);
          if (status >= 500) expect(error.code).toBe("backend_error");
        },
      ),
    );
  });
});

describe("what is to be taken back", () => {
  it("is what may have been carried out: no answer, or a fault of the server; never after a clean refusal", () => {
    const refused: readonly ErrorCode[] = [
      "conflict",
      "invalid_request",
      "not_found",
      "quota_exceeded",
      "not_implemented",
    ];
    for (const code of refused) expect(isUnanswered(new GatewayError(code, ""))).toBe(false);
    const open: readonly ErrorCode[] = ["backend_error", "backend_timeout", "backend_unreachable", "request_cancelled"];
    for (const code of open) expect(isUnanswered(new GatewayError(code, ""))).toBe(true);
    expect(isUnanswered(new Error("a defect of ours"))).toBe(true);
  });
});
