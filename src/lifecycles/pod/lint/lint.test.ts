import { describe, expect, test } from 'vitest';

import { readDocuments } from '../../../model/located-document.ts';
import { formatProblem, type Problem } from '../../../model/problem.ts';
import type { LintSettings } from './hooks-in.ts';
import { lintPodHooks } from './lint.ts';

const any: LintSettings = { serverMinor: null, drainSeconds: null };

/** A Deployment whose only container has this lifecycle, with one field per line. */
function manifest(
  lifecycle: string,
  more: { readonly spec?: string; readonly container?: string } = {},
): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      ${more.spec ?? 'terminationGracePeriodSeconds: 30'}
      containers:
        - name: app
          ${more.container ?? 'image: app:1'}
          lifecycle:
            ${lifecycle}
`;
}

function lintManifest(
  text: string,
  settings: LintSettings,
): { problems: Problem[]; hooks: number } {
  const { documents } = readDocuments('web.yaml', text);
  const results = documents.map((document) => ({
    document,
    ...lintPodHooks(document.value, settings),
  }));
  return {
    problems: results.flatMap(({ document, findings }) =>
      findings.map(({ path, ...finding }) => ({ ...finding, at: document.positionOf(path) })),
    ),
    hooks: results.reduce((sum, { hooks }) => sum + hooks, 0),
  };
}

const lint = (text: string, settings: Partial<LintSettings> = {}): string[] =>
  lintManifest(text, { ...any, ...settings }).problems.map(
    ({ at, code, severity }) => `${at?.line ?? 0}:${at?.column ?? 0} ${severity} ${code}`,
  );

describe('a lint of lifecycle hooks', () => {
  test.each([
    ['a sleep that fits', 'preStop: {sleep: {seconds: 5}}', {}, []],
    ['a hook that is null, which counts as absent', 'preStop: null', {}, []],
    [
      'a handler that is null, which counts as absent',
      'preStop: {httpGet: null, sleep: {seconds: 5}}',
      {},
      [],
    ],
    ['a negative sleep', 'preStop: {sleep: {seconds: -1}}', {}, ['13:40 error LHP001']],
    ['a sleep that is no number', 'preStop: {sleep: {seconds: "5"}}', {}, ['13:40 error LHP001']],
    [
      'a sleep longer than the grace',
      'preStop: {sleep: {seconds: 31}}',
      {},
      ['13:40 error LHP004'],
    ],
    [
      'a sleep that leaves less than 2 s',
      'preStop: {sleep: {seconds: 29}}',
      {},
      ['13:40 warning LHP005'],
    ],
    [
      'a sleep in postStart longer than the grace',
      'postStart: {sleep: {seconds: 31}}',
      {},
      ['13:42 error LHP004'],
    ],
    [
      'a sleep and a drain beyond the grace',
      'preStop: {sleep: {seconds: 20}}',
      { drainSeconds: 11 },
      ['13:40 warning LHP005'],
    ],
    [
      'a command that sleeps past the grace',
      'preStop: {exec: {command: [sh, -c, "sleep 20; sleep 15; nginx -s quit"]}}',
      {},
      ['13:39 warning LHP007'],
    ],
    [
      'a command that sleeps within the grace',
      'preStop: {exec: {command: [sh, -c, "sleep 20; nginx -s quit"]}}',
      {},
      [],
    ],
    [
      'a sleep and a drain within the grace',
      'preStop: {sleep: {seconds: 20}}',
      { drainSeconds: 10 },
      [],
    ],
    [
      'a sleep for 1.28',
      'preStop: {sleep: {seconds: 5}}',
      { serverMinor: 28 },
      ['13:40 warning LHP002'],
    ],
    [
      'a sleep for 1.29',
      'preStop: {sleep: {seconds: 5}}',
      { serverMinor: 29 },
      ['13:40 warning LHP002'],
    ],
    ['a sleep for 1.30', 'preStop: {sleep: {seconds: 5}}', { serverMinor: 30 }, []],
    [
      'a sleep of 0 for 1.32',
      'preStop: {sleep: {seconds: 0}}',
      { serverMinor: 32 },
      ['13:40 warning LHP003'],
    ],
    ['a sleep of 0 for 1.33', 'preStop: {sleep: {seconds: 0}}', { serverMinor: 33 }, []],
    [
      'an exec of sleep',
      'preStop: {exec: {command: ["sleep", "5"]}}',
      {},
      ['13:39 warning LHP006'],
    ],
    [
      'an exec of sleep in a shell',
      'preStop: {exec: {command: ["/bin/sh", "-c", "sleep 20"]}}',
      {},
      ['13:39 warning LHP006'],
    ],
    [
      'an exec of sleep for 1.28',
      'preStop: {exec: {command: ["sleep", "5"]}}',
      { serverMinor: 28 },
      [],
    ],
    [
      'an exec of more than sleep',
      'preStop: {exec: {command: ["sh", "-c", "sleep 5; sync"]}}',
      {},
      [],
    ],
    [
      'two handlers',
      'preStop: {sleep: {seconds: 1}, exec: {command: [x]}}',
      {},
      ['13:22 error LHP010'],
    ],
    ['no handler', 'preStop: {}', {}, ['13:22 error LHP010']],
    ['a tcpSocket', 'preStop: {tcpSocket: {port: 80}}', {}, ['13:34 error LHP013']],
    ['an HTTP hook', 'preStop: {httpGet: {port: 80}}', {}, ['13:32 warning LHP014']],
    [
      'an HTTP hook to the loopback',
      'preStop: {httpGet: {host: 127.0.0.1, port: 80}}',
      {},
      ['13:32 warning LHP014', '13:39 warning LHP015'],
    ],
    [
      'an HTTP hook to an unknown port',
      'preStop: {httpGet: {port: admin}}',
      {},
      ['13:32 warning LHP014', '13:39 error LHP016'],
    ],
    [
      'an HTTPS hook for 1.24',
      'preStop: {httpGet: {scheme: HTTPS, port: 443}}',
      { serverMinor: 24 },
      ['13:32 warning LHP014', '13:41 warning LHP017'],
    ],
  ])('finds the problems of %s', (...row) => {
    const [, lifecycle, settings, expected] = row;
    expect(lint(manifest(lifecycle), settings)).toEqual(expected);
  });

  test('warns of a preStop hook with a grace period of 0', () => {
    const text = manifest('preStop: {exec: {command: [x]}}', {
      spec: 'terminationGracePeriodSeconds: 0',
    });
    expect(lint(text)).toEqual(['13:22 warning LHP011']);
  });

  test('warns that the grace period of a probe bounds the hook', () => {
    const container = 'livenessProbe: {terminationGracePeriodSeconds: 3, httpGet: {port: 80}}';
    expect(lint(manifest('preStop: {sleep: {seconds: 5}}', { container }))).toEqual([
      '11:58 warning LHP012',
    ]);
  });

  test('reads the drain time of a pod from its annotation', () => {
    const text = `kind: Pod
metadata: {name: p, annotations: {lifehook.dev/drain-seconds: "28"}}
spec:
  containers: [{name: a, lifecycle: {preStop: {sleep: {seconds: 5}}}}]
`;
    expect(lint(text)).toEqual(['4:65 warning LHP005']);
  });

  test('finds hooks in every kind with a pod template, in lists and in several documents', () => {
    const pod = '{spec: {containers: [{name: a, lifecycle: {preStop: {}}}]}}';
    const text = [
      '{kind: Pod, spec: {containers: [{name: a, lifecycle: {preStop: {}}}]}}',
      `{kind: CronJob, spec: {jobTemplate: {spec: {template: ${pod}}}}}`,
      `{kind: Job, spec: {template: ${pod}}}`,
      `{kind: StatefulSet, spec: {template: {spec: {initContainers: [{name: a, lifecycle: {preStop: {}}}]}}}}`,
      '{kind: ConfigMap, data: {lifecycle: {preStop: {}}}}',
    ].join('\n---\n');
    expect(lintManifest(text, any).hooks).toBe(4);
    expect(lint(text).map((line) => line.split(' ')[2])).toEqual([
      'LHP010',
      'LHP010',
      'LHP010',
      'LHP010',
    ]);
  });

  test('names the problem, its position and the next step', () => {
    const [problem] = lintManifest(manifest('preStop: {sleep: {seconds: 31}}'), any).problems;
    expect(problem === undefined ? '' : formatProblem(problem)).toBe(
      'web.yaml:13:40: error LHP004: Deployment web, container app, preStop: the sleep of 31 s is longer than terminationGracePeriodSeconds (30), so the API server refuses it. Next: Raise terminationGracePeriodSeconds to 31 or more, or sleep for less.',
    );
  });

  test.each([null, 5, 'x', [], { kind: 'Pod' }, { kind: 'Pod', spec: { containers: 3 } }])(
    'finds no problem in %j',
    (value) => {
      expect(lint(JSON.stringify(value))).toEqual([]);
    },
  );
});
