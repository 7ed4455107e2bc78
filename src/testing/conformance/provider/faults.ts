import assert from "node:assert/strict";
import type { GatewayError } from "../../../engine/errors.ts";
import type { Provider, RawExchange } from "../../../engine/ports/provider.ts";
import type { ConformanceCase } from "../case.ts";
import type { FaultFixture, ProviderMaker, QuestionFixture } from "./fixture.ts";
import { againstServer, askWhole, collect, conformanceKey, failureOf, recordedCall, sendAnswer } from "./play.ts";
import type { Answerer } from "./upstream.ts";

type FaultCase = ConformanceCase<ProviderMaker>;
type CallChange = Parameters<typeof recordedCall>[1];

/** What comes of the vendor's refusals; `question` is what is refused. */
export function faultCases(fixture: FaultFixture, question: QuestionFixture): FaultCase[] {
  const { status, headers = {}, answer, expected } = fixture;
  const refuse: Answerer = (_seen, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    sendAnswer(response, status, answer);
  };
  const check = (error: GatewayError) => {
    assert.equal(error.code, "upstream_error");
    assert.equal(error.status, status);
    const { type, code, param } = { type: undefined, code: undefined, param: undefined, ...expected };
    assert.deepEqual(error.upstream, { status, message: expected.message, type, code, param });
    assert.equal(error.retryAfterMs, fixture.retryAfterMs);
  };
  const run = (make: ProviderMaker) =>
    againstServer(make, refuse, async (provider) => {
      for (const failed of failures(provider, question)) check(await failed);
    });
  return [{ title: `${fixture.name}: a refusal keeps status ${status} and the vendor's words`, run }];
}

/** What every provider must do when all goes wrong; `question` is asked, whole and, where it is a chat, streamed. */
export function hardshipCases(question: QuestionFixture): FaultCase[] {
  const page = `<html><body>${"<p>Bad gateway</p>".repeat(500)}</body></html>`;
  return [
    {
      title: "an error page becomes one short sentence without markup",
      run: every(
        question,
        (_seen, response) => sendAnswer(response, 502, page),
        (error) => {
          assert.equal(error.code, "upstream_error");
          assert.equal(error.status, 502);
          assert.ok(error.message.length < 200 && !error.message.includes("<"), error.message);
        },
      ),
    },
    {
      title: "a good status with an unreadable body is upstream_invalid_response",
      run: every(
        question,
        (_seen, response) => sendAnswer(response, 200, "<html>"),
        (error) => {
          assert.equal(error.code, "upstream_invalid_response");
        },
      ),
    },
    {
      title: "a vendor that hangs up before answering is upstream_unreachable",
      run: every(question, hangUp, isUnreachable),
    },
    { title: "a vendor that is not there is upstream_unreachable", run: (make) => absent(make, question) },
    { title: "a call that was aborted before asks nobody", run: (make) => abortedBefore(make, question) },
    {
      title: "a credential that the vendor repeats is in no error and no raw body",
      run: (make) => echo(make, question),
    },
  ];
}

/** The failures of the question, whole and (where it streams) streamed. */
function failures(provider: Provider, question: QuestionFixture, change: CallChange = {}): Promise<GatewayError>[] {
  const call = () => recordedCall(question.model, change);
  const whole = failureOf(askWhole(provider, question, call()));
  if (question.kind !== "chat" || question.stream === undefined || provider.streamChat === undefined) return [whole];
  return [whole, failureOf(collect(provider.streamChat(question.request, call())))];
}

function every(question: QuestionFixture, answer: Answerer, check: (error: GatewayError) => void) {
  return (make: ProviderMaker) =>
    againstServer(make, answer, async (provider) => {
      for (const failed of failures(provider, question)) check(await failed);
    });
}

const hangUp: Answerer = (_seen, response) => void response.socket?.destroy();

function isUnreachable(error: GatewayError): void {
  assert.equal(error.code, "upstream_unreachable");
  assert.ok(!error.message.includes(conformanceKey));
}

async function absent(make: ProviderMaker, question: QuestionFixture): Promise<void> {
  await againstServer(make, hangUp, async (provider, upstream) => {
    await upstream.close();
    for (const failed of failures(provider, question)) isUnreachable(await failed);
  });
}

async function abortedBefore(make: ProviderMaker, question: QuestionFixture): Promise<void> {
  await againstServer(make, hangUp, async (provider, { observation }) => {
    for (const failed of failures(provider, question, { signal: AbortSignal.abort() })) {
      assert.equal((await failed).code, "request_cancelled");
    }
    assert.equal(observation.length, 0);
  });
}

async function echo(make: ProviderMaker, question: QuestionFixture): Promise<void> {
  const answer: Answerer = (observation, response) => {
    const shown = JSON.stringify(observation.headers);
    sendAnswer(response, 401, { error: { message: `Wrong key: ${shown}`, type: shown, code: shown } });
  };
  await againstServer(make, answer, async (provider) => {
    const raw: RawExchange = {};
    for (const failed of failures(provider, question, { raw })) {
      const error = await failed;
      const reported = JSON.stringify([error.message, error.upstream, error.stack, String(error.cause)]);
      assert.ok(!reported.includes(conformanceKey), "the error holds the key");
    }
    assert.ok(!JSON.stringify(raw).includes(conformanceKey), "the raw exchange holds the key");
  });
}
