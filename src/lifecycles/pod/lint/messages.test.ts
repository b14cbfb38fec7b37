/** Tests the complete messages of the lint of a hook, because users read and act on them. */
import { describe, expect, test } from 'vitest';

import { lintPodHooks } from './lint.ts';
import type { Finding, LintSettings } from './hooks-in.ts';

interface Linted {
  readonly point?: 'postStart' | 'preStop';
  readonly grace?: number;
  readonly container?: object;
  readonly annotations?: object;
  readonly settings?: Partial<LintSettings>;
}

/** The findings for a pod whose container has this hook. */
function lint(hook: object, linted: Linted = {}): readonly Finding[] {
  const { point = 'preStop', grace, container = {}, annotations = {}, settings = {} } = linted;
  const lifecycle = { [point]: hook };
  const spec = {
    ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }),
    containers: [{ name: 'app', ...container, lifecycle }],
  };
  const pod = { kind: 'Pod', metadata: { name: 'p', annotations }, spec };
  return lintPodHooks(pod, { serverMinor: null, drainSeconds: null, ...settings }).findings;
}

const reported = (hook: object, linted: Linted = {}): string[] =>
  lint(hook, linted).map(({ code, message, next }) => {
    const where = `Pod p, container app, ${linted.point ?? 'preStop'}: `;
    expect(message.startsWith(where)).toBe(true);
    return `${code} ${message.slice(where.length)} ${next}`;
  });

const sleep = (seconds: unknown): object => ({ sleep: { seconds } });
const http = (httpGet: object): object => ({ httpGet: { port: 80, ...httpGet } });
const STATUS =
  'LHP014 the HTTP status code is ignored; 404 and 500 count as success. If it must be checked, use exec with a client that fails on such answers.';

describe('POD-SL2, POD-K25: a hook of no one kind', () => {
  const one = 'LHP010 a hook has exactly one of exec, httpGet, tcpSocket, sleep, but this one has';
  test.each([
    [{}, `${one} none. Give the hook exactly one of them.`],
    [
      { exec: {}, ...sleep(1), ...http({}) },
      `${one} exec and httpGet and sleep. Give the hook exactly one of them.`,
    ],
  ])('%j', (hook, expected) => {
    expect(reported(hook)).toEqual([expected]);
  });
});

describe('POD-SL1, POD-SL3, POD-SL4: the seconds of a sleep', () => {
  test.each([
    [-1, '-1'],
    [1.5, '1.5'],
    ['5', '"5"'],
    [undefined, 'null'],
  ])('%j are refused', (seconds, shown) => {
    expect(reported(sleep(seconds))).toEqual([
      `LHP001 sleep.seconds must be a whole number of 0 or more, but is ${shown}. Write the number of seconds.`,
    ]);
  });

  test('are at most the grace period, which is 30 where there is none (POD-SL5)', () => {
    const beyond = (seconds: number, grace: number): string =>
      `LHP004 the sleep of ${seconds} s is longer than terminationGracePeriodSeconds (${grace}), so the API server refuses it. Raise terminationGracePeriodSeconds to ${seconds} or more, or sleep for less.`;
    expect(reported(sleep(31))).toEqual([beyond(31, 30)]);
    expect(reported(sleep(11), { grace: 10 })).toEqual([beyond(11, 10)]);
    expect(reported(sleep(31), { grace: 31, point: 'postStart' })).toEqual([]);
    expect(reported(sleep(28))).toEqual([]);
    expect(reported(sleep(31), { point: 'postStart' })).toEqual([beyond(31, 30)]);
    expect(reported(sleep(30), { point: 'postStart' })).toEqual([]);
  });

  test('leave the program two seconds, or the drain that it says it needs', () => {
    const left = (of: string, wants: string, needed: number): string =>
      `LHP005 the sleep takes ${of} s between TERM and KILL, ${wants}. Raise terminationGracePeriodSeconds to ${needed} or more.`;
    const little = 'which is little for any program';
    expect(reported(sleep(30))).toEqual([
      left('30 of 30 s of grace period, so the program has 2', little, 32),
    ]);
    const annotations = { 'lifehook.dev/drain-seconds': '21' };
    const drained = [left('10 of 30 s of grace period, so the program has 20', 'and needs 21', 31)];
    expect(reported(sleep(10), { annotations })).toEqual(drained);
    expect(reported(sleep(10), { settings: { drainSeconds: 21 } })).toEqual(drained);
    const both = { annotations, settings: { drainSeconds: 1 } };
    expect(reported(sleep(10), both)).toEqual(drained);
    const nonsense = { annotations: { 'lifehook.dev/drain-seconds': 'long' } };
    expect(reported(sleep(10), { ...nonsense, settings: { drainSeconds: 21 } })).toEqual(drained);
  });
});

describe('POD-SL13, POD-SL14: a sleep for older servers', () => {
  const until = (seconds: number): string =>
    `so the container gets TERM at once. Use exec with ["sleep", "${seconds}"] until all servers are 1.30 or later.`;
  test.each([
    [
      28,
      5,
      [
        `LHP002 a 1.28 server does not know the sleep action and drops it without a message, ${until(5)}`,
      ],
    ],
    [
      29,
      5,
      [
        `LHP002 a 1.29 server drops the sleep action unless the feature gate PodLifecycleSleepAction is on, ${until(5)}`,
      ],
    ],
    [30, 5, []],
    [
      32,
      0,
      [
        'LHP003 a 1.32 server refuses a sleep of 0 unless the feature gate PodLifecycleSleepActionAllowZero is on. Leave the hook out, or write 1.',
      ],
    ],
    [31, 0, ['LHP003 a 1.31 server refuses a sleep of 0. Leave the hook out, or write 1.']],
    [33, 0, []],
  ])('of 1.%i, of %i s', (serverMinor, seconds, expected) => {
    expect(reported(sleep(seconds), { settings: { serverMinor } })).toEqual(expected);
  });
});

describe('a command that sleeps', () => {
  const exec = (...command: unknown[]): object => ({ exec: { command } });
  const native =
    'LHP006 this command only sleeps, and the image must have a sleep program for it. Write sleep: {seconds: 5} instead of exec (servers from 1.30 on).';

  test.each([
    [['sleep', '5']],
    [['/bin/sleep', '5s']],
    [['sh', '-c', 'sleep 5']],
    [['/bin/bash', '-c', 'exec /usr/bin/sleep 5 ']],
    [['ash', '-c', 'sleep 5']],
    [['dash', '-c', 'sleep 5']],
  ])('%j can be a native one', (command) => {
    expect(reported(exec(...command))).toEqual([native]);
    expect(reported(exec(...command), { settings: { serverMinor: 30 } })).toEqual([native]);
    expect(reported(exec(...command), { settings: { serverMinor: 29 } })).toEqual([]);
  });

  test.each([
    [['sleep', '5m']],
    [['sleep', '0.5']],
    [['sh', '-c', 'sleep 5; sync']],
    [['oversleep', '5']],
    [['zsh', '-c', 'sleep 5']],
  ])('%j cannot', (command) => {
    expect(reported(exec(...command))).toEqual([]);
  });

  test('longer than the grace period does not delay TERM (POD-K6)', () => {
    const outlasted = (seconds: number, grace: number): RegExp =>
      new RegExp(
        `^LHP007 this command sleeps for ${seconds} s, and terminationGracePeriodSeconds is ${grace}: the program of the container gets TERM before the command ends, and KILL 2 s later\\. Raise terminationGracePeriodSeconds above ${seconds}, or sleep for less\\.$`,
      );
    const [found = ''] = reported(exec('sh', '-c', 'sleep 20; sleep 10s; quit'));
    expect(found).toMatch(outlasted(30, 30));
    expect(reported(exec('sh', '-c', 'sleep 29; quit'))).toEqual([]);
    const [short = ''] = reported(exec('sh', '-c', 'sleep 4; quit'), { grace: 4 });
    expect(short).toMatch(outlasted(4, 4));
    expect(reported(exec('sh', '-c', 'sleep 31; x'), { point: 'postStart' })).toEqual([]);
    expect(reported(exec('sh', '-c', 'sleep 40m; sleep 3.5'))).toEqual([]);
  });
});

describe('a hook that surprises', () => {
  test('with a grace period of 0 does not run by default', () => {
    const zero =
      'LHP011 with terminationGracePeriodSeconds 0 a preStop hook runs only if a deletion or a probe sets a longer grace period. Raise terminationGracePeriodSeconds, or remove the hook.';
    expect(reported({ exec: { command: ['x'] } }, { grace: 0 })).toEqual([zero]);
    expect(reported({ exec: { command: ['x'] } }, { grace: 0, point: 'postStart' })).toEqual([]);
  });

  test('POD-K12: has the grace of a probe after that has failed', () => {
    const probe = (terminationGracePeriodSeconds: number): object => ({
      terminationGracePeriodSeconds,
    });
    const container = { livenessProbe: probe(4), startupProbe: probe(3), readinessProbe: probe(1) };
    const whole = (name: string, grace: number): string =>
      `LHP012 after a failed ${name} the container has ${grace} s to stop, but the sleep alone takes 5 s. Raise the grace period of the probe, if the sleep matters in that case.`;
    expect(reported(sleep(5), { container })).toEqual([
      whole('livenessProbe', 4),
      whole('startupProbe', 3),
    ]);
    expect(lint(sleep(5), { container })[0]?.path).toEqual([
      'spec',
      'containers',
      0,
      'livenessProbe',
      'terminationGracePeriodSeconds',
    ]);
    expect(reported(sleep(3), { container })).toEqual([]);
    expect(reported(sleep(5), { container, point: 'postStart' })).toEqual([]);
  });

  test('POD-K24: of kind tcpSocket fails', () => {
    expect(reported({ tcpSocket: { port: 80 } })).toEqual([
      'LHP013 tcpSocket is accepted by the API, but always fails when it is run. Use exec or httpGet.',
    ]);
  });

  test.each(['localhost', '127.0.0.1', '127.11.22.33', '::1'])(
    'POD-K17: to %s asks the node',
    (host) => {
      expect(reported(http({ host }))).toEqual([
        STATUS,
        `LHP015 the request leaves from the node, so ${host} is the node and not the container. Leave host out: the request then goes to the pod.`,
      ]);
    },
  );

  test.each(['', 'example.com', '128.0.0.1', 'x.localhost', 'localhost.x'])(
    'POD-K17: to %j does not',
    (host) => {
      expect(reported(http({ host }))).toEqual([STATUS]);
    },
  );

  test('POD-K18: to a port that cannot be resolved fails', () => {
    const container = { ports: [{ name: 'web', containerPort: 8080 }] };
    expect(reported(http({ port: 'web' }), { container })).toEqual([STATUS]);
    expect(reported(http({ port: {} }), { container })).toEqual([STATUS]);
    expect(reported(http({ port: 'x' }), { container })[1]).toBe(
      `LHP016 couldn't find port "x" in container app: it names web. Write a number, or the name of one of the container's ports.`,
    );
  });

  test('POD-K20, POD-K21: loses scheme and headers on nodes before 1.25', () => {
    const hook = http({ scheme: 'HTTPS', httpHeaders: [{ name: 'a', value: 'b' }] });
    const ignored = (field: string): string =>
      `LHP017 nodes of 1.24 ignore ${field} of a hook and send a plain request. Do not rely on it before 1.25.`;
    const of = (serverMinor: number): string[] => reported(hook, { settings: { serverMinor } });
    expect(of(24)).toEqual([STATUS, ignored('scheme'), ignored('httpHeaders')]);
    expect(of(25)).toEqual([STATUS]);
    expect(
      reported(http({ scheme: 'HTTP', httpHeaders: [] }), { settings: { serverMinor: 24 } }),
    ).toEqual([STATUS]);
  });
});
