/** Input that admission accepts with a warning (SNAP-G2, SNAP-G3, SNAP-R4, SNAP-R22). */
import { expect, it } from 'vitest';

import type { HookActions } from '../kinds.ts';
import { actionsWarnings, hookWarnings, snapshotWarnings } from './warnings.ts';

const exec = { command: ['freeze'] };
const short = (seconds: number): string[] => [
  `spec.expirationSeconds: the preAction alone may take ${seconds} seconds, so the thaw may begin before anything is cut`,
];

it.each<[string, HookActions, string[]]>([
  ['nothing for its own spelling', { preAction: { exec }, postAction: { exec } }, []],
  [
    "the document's spelling of the expiry (SNAP-G2)",
    { expirationTimeSeconds: 60 },
    ['spec.expirationTimeSeconds: read as expirationSeconds'],
  ],
  [
    'a nested handler (SNAP-G3)',
    { preAction: { action: { exec } } },
    ['spec.preAction.action: its handler is used as the handler of spec.preAction; write it there'],
  ],
  [
    'a nested handler of the postAction (SNAP-G3)',
    { postAction: { action: { exec } } },
    [
      'spec.postAction.action: its handler is used as the handler of spec.postAction; write it there',
    ],
  ],
  [
    'a check that freezes nothing (SNAP-G27)',
    { preAction: { tcpSocket: { port: 1 } } },
    [
      'spec.preAction.tcpSocket: it checks that the port accepts connections, and neither freezes nor thaws',
    ],
  ],
  [
    'an expiry within the preAction (SNAP-R22)',
    { preAction: { exec, actionTimeoutSeconds: 20 }, expirationSeconds: 20 },
    short(20),
  ],
  [
    'an expiry within the default timeout',
    { preAction: { exec }, expirationSeconds: 30 },
    short(30),
  ],
  [
    'no expiry after the preAction',
    { preAction: { exec, actionTimeoutSeconds: 20 }, expirationSeconds: 21 },
    [],
  ],
  ['no expiry without a preAction', { expirationSeconds: 1 }, []],
  [
    'both of the alias',
    { preAction: { exec }, expirationTimeSeconds: 10 },
    ['spec.expirationTimeSeconds: read as expirationSeconds', ...short(30)],
  ],
])('warns of %s', (_, actions, warnings) => {
  expect(actionsWarnings('spec', actions)).toEqual(warnings);
});

it('names the field of a template without a prefix', () => {
  expect(actionsWarnings('', { expirationTimeSeconds: 60 })).toEqual([
    'expirationTimeSeconds: read as expirationSeconds',
  ]);
});

it('warns of targets before actions, and of the targets of each info of a snapshot', () => {
  const every = 'podSelector: it is empty, which selects every pod of the namespace';
  expect(hookWarnings({ podSelector: {}, expirationTimeSeconds: 60 })).toEqual([
    `spec.${every}`,
    'spec.expirationTimeSeconds: read as expirationSeconds',
  ]);
  const infos = [{ recipe: { name: 'r' } }, { podSelector: {} }];
  expect(snapshotWarnings({ source: {}, executionHookInfos: infos })).toEqual([
    `spec.executionHookInfos[1].${every}`,
  ]);
  expect(snapshotWarnings({ source: {} })).toEqual([]);
});
