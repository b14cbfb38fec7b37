import { describe, expect, it } from 'vitest';

import { errorOfAnswer, errorOfStatus, parseObject } from './answer-error.ts';
import { UnreachableError } from './api-error.ts';

function failureOf(text: string): unknown {
  try {
    return parseObject({ text }, 'GET /api/v1/pods');
  } catch (error) {
    return error;
  }
}

describe('parseObject', () => {
  it('returns the object of the answer', () => {
    expect(parseObject({ text: '{"kind":"Pod"}' }, 'GET /')).toEqual({ kind: 'Pod' });
  });

  it.each(['<html>', '', '[{}]', 'null', '"ok"', '7'])(
    'names the request and the answer that is no object, after which a write may have taken effect: %s',
    (text) => {
      const failure = failureOf(text);
      expect(failure).toBeInstanceOf(UnreachableError);
      expect(failure).toMatchObject({
        message: `GET /api/v1/pods: the answer is not a JSON object: it begins with ${JSON.stringify(text)}`,
        sent: true,
      });
    },
  );

  it('shows at most 80 characters of such an answer', () => {
    expect(failureOf('x'.repeat(81))).toHaveProperty('message', expect.stringMatching(/ "x{80}"$/));
  });

  it('keeps the error of the JSON parser as the cause', () => {
    expect(failureOf('<html>')).toHaveProperty('cause', expect.any(SyntaxError));
  });
});

describe('errorOfAnswer', () => {
  const answered = (text: string, status = 409, headers: Record<string, string> = {}) =>
    errorOfAnswer({ status, headers, text });

  it('has the Status that the server wrote', () => {
    const status = { kind: 'Status', reason: 'AlreadyExists', message: 'it exists', code: 409 };
    expect(answered(JSON.stringify(status))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'it exists',
      status,
      retryAfterSeconds: null,
    });
  });

  it.each([
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [405, 'MethodNotAllowed'],
    [406, 'NotAcceptable'],
    [409, 'Conflict'],
    [410, 'Expired'],
    [413, 'RequestEntityTooLarge'],
    [415, 'UnsupportedMediaType'],
    [422, 'Invalid'],
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
    [503, 'ServiceUnavailable'],
    [504, 'Timeout'],
    [418, ''],
  ])('has the reason of the code where the answer is plain text: %i', (code, reason) => {
    const message = `try later (HTTP ${code})`;
    const status = { kind: 'Status', status: 'Failure', code, reason, message };
    expect(answered(' try later\n', code)).toMatchObject({ code, reason, message, status });
  });

  it.each(['', ' ', '{', 'null', '7', '{}', '{"kind":"Pod"}'])(
    'does not take another text for a Status: %s',
    (text) => {
      const shown =
        text.trim() === '' ? 'the API server answered 500' : `${text.trim()} (HTTP 500)`;
      expect(answered(text, 500)).toMatchObject({ reason: 'InternalError', message: shown });
    },
  );

  it('shows at most 1024 characters of a plain text', () => {
    expect(answered('x'.repeat(1025), 500).message).toBe(`${'x'.repeat(1024)} (HTTP 500)`);
  });

  it('waits as long as the header asks for, else as the Status does', () => {
    const status = JSON.stringify({ kind: 'Status', details: { retryAfterSeconds: 3 } });
    const seconds = (header: string): number | null =>
      answered(status, 429, { 'retry-after': header }).retryAfterSeconds;
    expect([seconds('12'), seconds('999999999')]).toEqual([12, 999_999_999]);
    const others = ['', 'x1', '1x', '1234567890', 'Wed, 21 Oct 2015 07:28:00 GMT'];
    expect(others.map(seconds)).toEqual([3, 3, 3, 3, 3]);
    expect(answered('busy', 429).retryAfterSeconds).toBeNull();
  });
});

describe('errorOfStatus', () => {
  it('has the code and the reason of the Status', () => {
    const status = { code: 410, reason: 'Own', message: 'too old' };
    expect(errorOfStatus(status)).toMatchObject({ ...status, retryAfterSeconds: null, status });
  });

  it('completes a Status without a reason or a code', () => {
    expect(errorOfStatus({ code: 410 })).toMatchObject({ code: 410, reason: 'Expired' });
    expect(errorOfStatus({})).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(errorOfStatus({ code: 418 }).status).toEqual({ code: 418 });
    const waiting = { code: 429, details: { retryAfterSeconds: 5 } };
    expect(errorOfStatus(waiting).retryAfterSeconds).toBe(5);
  });
});
