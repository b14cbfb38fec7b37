import { describe, expect, test } from 'vitest';

import type { Hook, HookPolicy } from './hook.ts';
import { parseHook } from './hook-schema.ts';
import type { Problem } from './problem.ts';

const source = { kind: 'file', file: 'lifehook.yaml', line: 3, column: 5 } as const;
const defaults: HookPolicy = {
  timeoutSeconds: null,
  retry: { limit: 0, backoffSeconds: 1 },
  failurePolicy: 'Abort',
};

function parsed(value: unknown, more: object = {}): Hook {
  const result = parseHook(value, { source, defaults, ...more });
  if (result.kind === 'problems') throw new Error(result.problems.map((p) => p.message).join('\n'));
  return result.hook;
}

function problemsOf(value: unknown): readonly Problem[] {
  const result = parseHook(value, { source, defaults });
  return result.kind === 'problems' ? result.problems : [];
}

const migrate = { name: 'migrate', handler: { command: ['./migrate.sh'] } };
const withHandler = (handler: unknown): object => ({ name: 'a', handler });

describe('parseHook', () => {
  test('takes missing fields from the defaults', () => {
    expect(parseHook(migrate, { source, defaults }).kind).toBe('hook');
    expect(
      parsed(migrate, { defaults: { ...defaults, timeoutSeconds: 30, failurePolicy: 'Retry' } }),
    ).toEqual({
      name: 'migrate',
      handler: { kind: 'command', command: ['./migrate.sh'] },
      policy: {
        timeoutSeconds: 30,
        retry: { limit: 0, backoffSeconds: 1 },
        failurePolicy: 'Retry',
      },
      source,
    });
  });

  test('takes given fields from the hook', () => {
    const said = {
      timeoutSeconds: 0.5,
      retry: { limit: 3, backoffSeconds: 2 },
      failurePolicy: 'Ignore',
    };
    expect(parsed({ ...migrate, ...said }).policy).toEqual(said);
    expect(parsed({ ...migrate, retry: { limit: 2 } }).policy.retry).toEqual({
      limit: 2,
      backoffSeconds: 1,
    });
  });

  test.each([
    [
      { httpGet: { port: 80 } },
      { kind: 'httpGet', scheme: 'HTTP', host: 'localhost', port: 80, path: '/', httpHeaders: [] },
    ],
    [
      {
        httpGet: {
          path: 'ready?x=1',
          port: 65_535,
          host: '::1',
          scheme: 'HTTPS',
          httpHeaders: [{ name: 'X-A', value: 'b c' }],
          expect: '2xx,304',
        },
      },
      {
        kind: 'httpGet',
        path: 'ready?x=1',
        port: 65_535,
        host: '::1',
        scheme: 'HTTPS',
        httpHeaders: [{ name: 'X-A', value: 'b c' }],
        expect: '2xx,304',
      },
    ],
    [{ tcpSocket: { port: 1 } }, { kind: 'tcpSocket', host: 'localhost', port: 1 }],
    [{ tcpSocket: { port: 1, host: 'db' } }, { kind: 'tcpSocket', host: 'db', port: 1 }],
    [{ sleep: { seconds: 0 } }, { kind: 'sleep', seconds: 0 }],
    [{ sleep: { seconds: 1.5 } }, { kind: 'sleep', seconds: 1.5 }],
    [{ command: ['a', ''] }, { kind: 'command', command: ['a', ''] }],
    [{ exec: { command: ['a', ''] } }, { kind: 'exec', command: ['a', ''] }],
    [
      { exec: { command: ['a'], container: 'db-0' } },
      { kind: 'exec', command: ['a'], container: 'db-0' },
    ],
  ])('reads the handler %j', (written, handler) => {
    expect(parsed(withHandler(written)).handler).toEqual(handler);
  });
});

describe('a problem with a hook', () => {
  test('names the field, the required and received values, the position and the fix', () => {
    expect(problemsOf({ ...migrate, timeoutSeconds: -1 })).toEqual([
      {
        code: 'LHG020',
        severity: 'error',
        message: 'timeoutSeconds must be a number of seconds above 0, at most 604800; received -1.',
        path: 'timeoutSeconds',
        at: { file: 'lifehook.yaml', line: 3, column: 5 },
        next: 'Correct timeoutSeconds.',
      },
    ]);
  });

  test.each([
    [{ ...migrate, timeoutSecond: 1 }, 'timeoutSecond', 'Did you mean "timeoutSeconds"?'],
    [withHandler({ comand: ['x'] }), 'handler.comand', 'Did you mean "command"?'],
    [withHandler({ sleep: { second: 1 } }), 'handler.sleep.second', 'Did you mean "seconds"?'],
    [
      withHandler({ httpGet: { port: 1, httpHeaders: [{ name: 'a', value: '', vlaue: '' }] } }),
      'handler.httpGet.httpHeaders[0].vlaue',
      'Did you mean "value"?',
    ],
    [{ ...migrate, retry: { times: 3 } }, 'retry.times', 'Remove it.'],
  ])('suggests the nearest key: %j', (value, path, next) => {
    expect(problemsOf(value)).toContainEqual(
      expect.objectContaining({ code: 'LHG021', path, next }),
    );
  });

  test('suggests the nearest value', () => {
    const [problem] = problemsOf({ ...migrate, failurePolicy: 'abort' });
    expect(problem).toMatchObject({ path: 'failurePolicy', next: 'Did you mean "Abort"?' });
    expect(problem?.message).toContain('must be "Abort", "Ignore" or "Retry"');
  });

  test.each([
    [{}, 'received an empty object'],
    [{ command: ['x'], sleep: { seconds: 1 } }, 'received an object with command, sleep'],
    [undefined, 'received nothing'],
    [['x'], 'received a list of 1'],
  ])('requires exactly one handler: %j', (handler, received) => {
    const [problem] = problemsOf(withHandler(handler));
    expect(problem?.message).toContain(
      'exactly one of command, exec, httpGet, tcpSocket and sleep',
    );
    expect(problem?.message).toContain(received);
  });

  const wrong: readonly [unknown, string][] = [
    [null, ''],
    [{ handler: migrate.handler }, 'name'],
    [{ ...migrate, name: 'a/b' }, 'name'],
    [{ ...migrate, name: 'a'.repeat(254) }, 'name'],
    [{ ...migrate, name: '/'.repeat(254) }, 'name'],
    [{ ...migrate, timeoutSeconds: 0 }, 'timeoutSeconds'],
    [{ ...migrate, timeoutSeconds: 604_801 }, 'timeoutSeconds'],
    [{ ...migrate, timeoutSeconds: Number.NaN }, 'timeoutSeconds'],
    [{ ...migrate, timeoutSeconds: '5' }, 'timeoutSeconds'],
    [{ ...migrate, retry: { limit: 101 } }, 'retry.limit'],
    [{ ...migrate, retry: { limit: 1.5 } }, 'retry.limit'],
    [{ ...migrate, retry: { backoffSeconds: 301 } }, 'retry.backoffSeconds'],
    [withHandler({ command: [] }), 'handler.command'],
    [withHandler({ command: [''] }), 'handler.command'],
    [withHandler({ command: 'a b' }), 'handler.command'],
    [withHandler({ command: ['a', 'b\0'] }), 'handler.command[1]'],
    [withHandler({ command: ['a', 'b'.repeat(131_072)] }), 'handler.command[1]'],
    [withHandler({ command: Array.from({ length: 1001 }, () => 'a') }), 'handler.command'],
    [withHandler({ tcpSocket: { port: 0 } }), 'handler.tcpSocket.port'],
    [withHandler({ tcpSocket: { port: 65_536 } }), 'handler.tcpSocket.port'],
    [withHandler({ tcpSocket: { port: 1, host: 'a b' } }), 'handler.tcpSocket.host'],
    [withHandler({ sleep: { seconds: -1 } }), 'handler.sleep.seconds'],
    [withHandler({ sleep: {} }), 'handler.sleep.seconds'],
    [withHandler({ httpGet: { port: 1, path: '/a b' } }), 'handler.httpGet.path'],
    [withHandler({ httpGet: { port: 1, scheme: 'http' } }), 'handler.httpGet.scheme'],
    [withHandler({ httpGet: { port: 1, expect: '2x' } }), 'handler.httpGet.expect'],
  ];
  test.each(wrong)('is reported once, at its path: %#', (value, path) => {
    expect(problemsOf(value).map((problem) => problem.path)).toEqual([path]);
  });

  test('reveals no header value, and shortens a long string', () => {
    const header = { name: 'Authorization', value: 's3cret\n' };
    const [first] = problemsOf(withHandler({ httpGet: { port: 1, httpHeaders: [header] } }));
    expect(first?.path).toBe('handler.httpGet.httpHeaders[0].value');
    expect(first?.message).toContain('received a string of 7 characters');
    const [second] = problemsOf({ ...migrate, name: '/'.repeat(100_000) });
    expect(second?.message).toContain('received a string of 100000 characters');
  });

  test('is one of at most 20', () => {
    expect(problemsOf(withHandler({ command: Array.from({ length: 999 }, () => 1) }))).toHaveLength(
      20,
    );
  });
});
