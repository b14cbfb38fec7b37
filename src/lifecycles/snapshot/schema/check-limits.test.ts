/** The checks of actions and targets at admission, and their limits (SNAP-R5, SNAP-R6, SNAP-G16). */
import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { HookAction, SessionAction, HookTargets } from '../kinds.ts';
import { handlersOf } from './check-action.ts';
import { checkSomeTarget, targetWarnings } from './check-targets.ts';
import { judgeHookSpec } from './validate.ts';

const hook = (more: Readonly<Record<string, unknown>>): string[] => {
  const preAction = { exec: { command: ['true'] } };
  const { errors } = judgeHookSpec({ preAction, ...more }, () => undefined);
  return errors.map(fieldProblemMessage);
};
const action = (preAction: HookAction): string[] => hook({ podSelector: {}, preAction });
const text = (length: number): string => 'x'.repeat(length);
const list = (length: number): string[] => Array.from({ length }, (_, at) => `c${at}`);

describe('an HTTP action', () => {
  type HttpGet = NonNullable<HookAction['httpGet']>;
  const of = (more: Partial<HttpGet>): string[] => action({ httpGet: { port: 80, ...more } });
  const header = (name: string, value: string): string[] => of({ httpHeaders: [{ name, value }] });
  const headers = (count: number): string[] =>
    of({ httpHeaders: list(count).map((name) => ({ name, value: 'v' })) });

  it('accepts what the limits allow', () => {
    expect([
      of({}),
      of({ path: text(4_096), scheme: 'HTTPS' }),
      of({ scheme: 'HTTP' }),
      headers(64),
      header('X-Token', text(8_192)),
      header('X-Token', 'a\tb é'),
    ]).toEqual([[], [], [], [], [], []]);
  });

  it.each<[string, () => string[], string]>([
    [
      'a path that is too long',
      () => of({ path: text(4_097) }),
      'spec.preAction.httpGet.path: Invalid value',
    ],
    [
      'a path with a blank',
      () => of({ path: '/a b' }),
      'spec.preAction.httpGet.path: Invalid value',
    ],
    [
      'an unknown scheme',
      () => of({ scheme: 'FTP' as 'HTTP' }),
      'spec.preAction.httpGet.scheme: Unsupported value',
    ],
    ['too many headers', () => headers(65), 'spec.preAction.httpGet.httpHeaders: Invalid value'],
    [
      'a header without a name',
      () => header('', 'v'),
      'spec.preAction.httpGet.httpHeaders[0].name: Invalid value',
    ],
    [
      'a name that is no token',
      () => header('a b', 'v'),
      'spec.preAction.httpGet.httpHeaders[0].name: Invalid value',
    ],
    [
      'a header value with a line break, which could add a header',
      () => header('X-Token', 'a\r\nb'),
      'spec.preAction.httpGet.httpHeaders[0].value: Invalid value: "4 characters": must have no control characters',
    ],
    [
      'a header value that is too long, without repeating it',
      () => header('X-Token', text(8_193)),
      'spec.preAction.httpGet.httpHeaders[0].value: Invalid value: "8193 characters": must have at most 8192 characters',
    ],
  ])('refuses %s', (_, find, message) => {
    const found = find();
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(message)).toBe(true);
  });
});

describe('an action', () => {
  const tcpSocket = { port: 3306 };

  it('checks the port of a TCP action, in both spellings (SNAP-G3)', () => {
    expect(action({ tcpSocket })).toEqual([]);
    const [plain] = action({ tcpSocket: { port: 0 } });
    expect(plain).toMatch(/^spec\.preAction\.tcpSocket\.port: /u);
    const [nested] = action({ action: { tcpSocket: { port: 0 } } });
    expect(nested).toMatch(/^spec\.preAction\.action\.tcpSocket\.port: /u);
  });

  it('has its handler alone, from either spelling (SNAP-G3)', () => {
    const exec = { command: ['true'] };
    expect(handlersOf({ action: { tcpSocket } })).toEqual({ tcpSocket });
    expect(Object.keys(handlersOf({ exec }))).toEqual(['exec']);
    expect(Object.keys(handlersOf({ tcpSocket }))).toEqual(['tcpSocket']);
  });
});

describe('a session (SNAP-R36)', () => {
  const of = (more: Partial<SessionAction>): string[] =>
    action({
      session: {
        client: ['mysql'],
        freeze: ['FLUSH TABLES WITH READ LOCK;'],
        thaw: ['UNLOCK TABLES;'],
        ready: 'frozen',
        ...more,
      },
    });

  it('accepts what the limits allow', () => {
    expect([
      of({}),
      of({ freeze: list(100) }),
      of({ freeze: ['', 'a line'] }),
      of({ ready: text(1_024) }),
    ]).toEqual([[], [], [], []]);
  });

  it.each<[string, Partial<SessionAction>, string]>([
    [
      'no line',
      { freeze: [] },
      'spec.preAction.session.freeze: Invalid value: []: must have at least 1 items',
    ],
    [
      'blank lines only',
      { thaw: [' ', ''] },
      'spec.preAction.session.thaw: Required value: write at least one line',
    ],
    [
      'too many lines',
      { freeze: list(101) },
      'spec.preAction.session.freeze: Invalid value: 101: must have at most 100 lines',
    ],
    ['two lines in one', { thaw: ['a\nb'] }, 'spec.preAction.session.thaw[0]: Invalid value'],
    [
      'a blank ready line',
      { ready: ' ' },
      'spec.preAction.session.ready: Required value: with a client, ready is required',
    ],
    ['a ready line of two', { ready: 'a\nb' }, 'spec.preAction.session.ready: Invalid value'],
    [
      'a ready line that is too long',
      { ready: text(1_025) },
      'spec.preAction.session.ready: Invalid value',
    ],
  ])('refuses %s', (_, more, message) => {
    const found = of(more);
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(message)).toBe(true);
  });
});

describe('the targets of a hook', () => {
  const of = (targets: HookTargets): string[] => hook({ ...targets });
  const pod = (podName: string, containerNames: string[] = ['db']) => ({ podName, containerNames });
  const pods = (count: number) => list(count).map((name) => pod(name));
  const expression = (operator: string, values?: string[], key = 'app'): string[] =>
    of({
      podSelector: {
        matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }],
      },
    });

  it('accept what the limits allow', () => {
    expect([
      of({ podContainerNamesList: pods(500) }),
      of({ podContainerNamesList: [pod('a', list(100))] }),
      of({ containerSelector: { ContainerName: 'db' } }),
      expression('In', ['a']),
      expression('NotIn', ['a']),
      expression('Exists'),
      expression('DoesNotExist', []),
      of({ podSelector: {} }),
    ]).toEqual([[], [], [], [], [], [], [], []]);
  });

  it.each<[string, () => string[], string]>([
    [
      'an empty list',
      () => of({ podContainerNamesList: [] }),
      'spec.podContainerNamesList: Invalid value: []: must have at least 1 items',
    ],
    [
      'too many pods',
      () => of({ podContainerNamesList: pods(501) }),
      'spec.podContainerNamesList: Invalid value: 501',
    ],
    [
      'a pod without containers',
      () => of({ podContainerNamesList: [pod('a', [])] }),
      'spec.podContainerNamesList[0].containerNames: Invalid value: []: must have at least 1 items',
    ],
    [
      'too many containers',
      () => of({ podContainerNamesList: [pod('a', list(101))] }),
      'spec.podContainerNamesList[0].containerNames: Invalid value: 101',
    ],
    [
      'a pod name that is none',
      () => of({ podContainerNamesList: [pod('A B')] }),
      'spec.podContainerNamesList[0].podName: Invalid value',
    ],
    [
      'an empty containerSelector',
      () => of({ containerSelector: {} }),
      'spec.containerSelector: Required value: the only key is ContainerName',
    ],
    [
      'another key (SNAP-CASE5)',
      () => of({ containerSelector: { Name: 'db' } }),
      'spec.containerSelector: Invalid value: "Name": the only key is ContainerName',
    ],
    [
      'an expression without a label',
      () => expression('Exists', undefined, ''),
      'spec.podSelector.matchExpressions[0].key: Invalid value: "": must have at least 1 characters',
    ],
    [
      'an unknown operator',
      () => expression('Equals', ['a']),
      'spec.podSelector.matchExpressions[0].operator: Unsupported value',
    ],
    [
      'In without values',
      () => expression('In'),
      'spec.podSelector.matchExpressions[0].values: Invalid value: []: give the values of In',
    ],
    [
      'NotIn without values',
      () => expression('NotIn', []),
      'spec.podSelector.matchExpressions[0].values: Invalid value: []: give the values of NotIn',
    ],
    [
      'Exists with values',
      () => expression('Exists', ['a']),
      'spec.podSelector.matchExpressions[0].values: Invalid value: ["a"]: Exists takes no values',
    ],
  ])('refuse %s', (_, find, message) => {
    const found = find();
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(message)).toBe(true);
  });

  it('SNAP-R3: must be given', () => {
    expect(checkSomeTarget('spec', {}).map(fieldProblemMessage)).toEqual([
      'spec.podContainerNamesList: Required value: name the pods and containers here, or give a podSelector or a containerSelector',
    ]);
    expect(checkSomeTarget('spec', { containerSelector: { ContainerName: 'db' } })).toEqual([]);
  });

  it('SNAP-R4: warn of selectors that a list overrides', () => {
    const podContainerNamesList = [pod('a')];
    const unused = [
      'spec.podContainerNamesList: only this list counts, the selectors are not used',
    ];
    const containerSelector = { ContainerName: 'db' };
    expect(targetWarnings('spec', { podContainerNamesList })).toEqual([]);
    expect(targetWarnings('spec', { podContainerNamesList, podSelector: {} })).toEqual(unused);
    expect(targetWarnings('spec', { podContainerNamesList, containerSelector })).toEqual(unused);
  });

  it('warn of a selector that selects every pod', () => {
    const every = ['spec.podSelector: it is empty, which selects every pod of the namespace'];
    expect(targetWarnings('spec', { podSelector: {} })).toEqual(every);
    expect(
      targetWarnings('spec', { podSelector: { matchLabels: {}, matchExpressions: [] } }),
    ).toEqual(every);
    expect(targetWarnings('spec', {})).toEqual([]);
    expect(targetWarnings('spec', { containerSelector: { ContainerName: 'db' } })).toEqual([]);
    expect(
      targetWarnings('spec', { podSelector: {}, containerSelector: { ContainerName: 'db' } }),
    ).toEqual([]);
    expect(targetWarnings('spec', { podSelector: { matchLabels: { app: 'db' } } })).toEqual([]);
    const matchExpressions = [{ key: 'app', operator: 'Exists' }];
    expect(targetWarnings('spec', { podSelector: { matchExpressions } })).toEqual([]);
  });
});
