import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { HookActions } from '../kinds.ts';
import type { Recipe } from '../recipes/recipe.ts';
import { type ActionsResolution, resolveActions } from './resolve-actions.ts';

const pause: Recipe = {
  name: 'pause',
  application: 'Sample',
  summary: 'Pauses the sample.',
  lockClass: 'selfExpiring',
  lockScope: 'Process',
  tested: true,
  parameters: [
    { name: 'port', description: 'where it listens', defaultValue: '6379' },
    { name: 'user', description: 'who asks' },
  ],
  needs: { programs: ['pause'], privileges: [] },
  maxFreezeSeconds: 60,
  exitCodes: {},
  priorState: null,
  actions: ({ port = '', user = '' }) => ({
    preAction: { exec: { command: ['pause', port, user] } },
    postAction: { exec: { command: ['go-on', port] } },
    probe: { command: ['is-paused'], timeoutSeconds: 5 },
    expirationSeconds: 20,
  }),
};

const resolve = (actions: HookActions, field?: string): ActionsResolution =>
  resolveActions({
    actions,
    origin: 'template t',
    resolveRecipe: (name) => (name === pause.name ? pause : undefined),
    ...(field === undefined ? {} : { field }),
  });

const messages = (actions: unknown, field?: string): string[] => {
  const resolution = resolve(actions as HookActions, field);
  return 'problems' in resolution ? resolution.problems.map(fieldProblemMessage) : [];
};

const freeze = { exec: { command: ['freeze.sh'] } };

describe('the actions of a hook, resolved', () => {
  it('have defaults, and name their origin (SNAP-G5)', () => {
    expect(resolve({ preAction: freeze })).toEqual({
      resolved: {
        policy: 'ExecuteAll',
        preAction: { ...freeze, actionTimeoutSeconds: 30 },
        origin: 'template t',
      },
    });
  });

  it("are the same from either of the document's spellings (SNAP-G2, SNAP-G3)", () => {
    const inline = { preAction: freeze, postAction: freeze, expirationSeconds: 30 };
    const nested = {
      preAction: { action: freeze },
      postAction: { action: freeze },
      expirationTimeSeconds: 30,
    };
    expect(resolve(nested)).toEqual(resolve(inline));
    expect(resolve({ ...inline, expirationTimeSeconds: 30 })).toEqual(resolve(inline));
  });

  it('keep the given values in one form', () => {
    const session = { client: ['mariadb'], freeze: ['LOCK;'], thaw: ['UNLOCK;'], ready: 'locked' };
    const preAction = { session, actionTimeoutSeconds: 5, idempotent: true };
    const probe = { exec: { command: ['ask'] } };
    expect(resolve({ policy: 'ExecuteOnce', preAction, probe })).toEqual({
      resolved: {
        policy: 'ExecuteOnce',
        preAction: {
          session: { ...session, windowSeconds: 15 },
          actionTimeoutSeconds: 5,
          idempotent: true,
        },
        probe: { command: ['ask'], timeoutSeconds: 10 },
        origin: 'template t',
      },
    });
    const postAction = { httpGet: { port: 'web', path: '/thaw' } };
    expect(resolve({ preAction: freeze, postAction })).toMatchObject({
      resolved: { postAction: { httpGet: { port: 'web', path: '/thaw', scheme: 'HTTP' } } },
    });
  });

  it('are those of a recipe, with default values for missing parameters', () => {
    const recipe = { name: 'pause', parameters: { user: 'root' } };
    expect(resolve({ recipe, policy: 'ExecuteOnce' })).toEqual({
      resolved: {
        lockScope: 'Process',
        policy: 'ExecuteOnce',
        preAction: { exec: { command: ['pause', '6379', 'root'] }, actionTimeoutSeconds: 30 },
        postAction: { exec: { command: ['go-on', '6379'] }, actionTimeoutSeconds: 30 },
        probe: { command: ['is-paused'], timeoutSeconds: 5 },
        expirationSeconds: 20,
        origin: 'recipe pause, named by template t',
      },
    });
    expect(resolve({ recipe, expirationSeconds: 40 })).toMatchObject({
      resolved: { expirationSeconds: 40 },
    });
  });
});

describe('the actions of a hook are refused', () => {
  const oneOf = 'give exactly one of exec, httpGet, tcpSocket and session';
  const seconds = 'must be a whole number of seconds from 1 to 86400, without quotes or a unit';
  const session = { freeze: ['f'], thaw: ['t'] };
  const fed = { client: ['c'], freeze: ['f;'], thaw: ['t;'], ready: 'ok' };
  it.each<[string, unknown, string]>([
    [
      'without a preAction',
      {},
      'preAction: Required value: give the action that freezes, or name a recipe instead',
    ],
    ['without a handler', { preAction: {} }, `preAction: Required value: ${oneOf}`],
    [
      'with two handlers',
      { preAction: { ...freeze, tcpSocket: { port: 1 } } },
      `preAction: Invalid value: ["exec","tcpSocket"]: ${oneOf}: exec and tcpSocket are given, so remove all but one`,
    ],
    [
      'with both spellings of an action (SNAP-G3)',
      { preAction: { ...freeze, action: freeze } },
      `preAction: Invalid value: ["exec","action.exec"]: ${oneOf}: exec and action.exec are given, so remove all but one`,
    ],
    [
      'with an empty command',
      { preAction: { action: { exec: { command: [] } } } },
      'preAction.action.exec.command: Invalid value: []: must have at least 1 items',
    ],
    [
      'with typographic quotes (SNAP-G4)',
      { preAction: { exec: { command: ['“run_quiesce.sh”'] } } },
      'preAction.exec.command[0]: Invalid value: "“run_quiesce.sh”": the typographic quotes would become part of the argument; write "run_quiesce.sh" with straight quotes',
    ],
    ...['300', 0, -1, 1e12, 1.5].map((value): [string, unknown, string] => [
      `with a timeout of ${JSON.stringify(value)} (SNAP-CASE40)`,
      { preAction: { ...freeze, actionTimeoutSeconds: value } },
      `preAction.actionTimeoutSeconds: Invalid value: ${JSON.stringify(value)}: ${seconds}`,
    ]),
    [
      'with an expiration of 0',
      { preAction: freeze, expirationTimeSeconds: 0 },
      `expirationTimeSeconds: Invalid value: 0: ${seconds}`,
    ],
    [
      'with two different expirations (SNAP-CASE7)',
      { preAction: freeze, expirationSeconds: 30, expirationTimeSeconds: 31 },
      'expirationTimeSeconds: Invalid value: 31: means the same as expirationSeconds, which is 30: remove it',
    ],
    [
      'with another policy (SNAP-R8)',
      { preAction: freeze, policy: 'ExecuteTwice' },
      'policy: Unsupported value: "ExecuteTwice": supported values: "ExecuteOnce", "ExecuteAll"',
    ],
    [
      'with a port number as a string',
      { preAction: { httpGet: { port: '8080' } } },
      'preAction.httpGet.port: Invalid value: "8080": must be a number from 1 to 65535 without quotes, or the name of a port of the container',
    ],
    [
      'with a session as postAction',
      { preAction: freeze, postAction: { session } },
      'postAction.session: Forbidden: a session both freezes and thaws: move it to preAction',
    ],
    [
      'with a session and a postAction',
      { preAction: { session }, postAction: freeze },
      'postAction: Forbidden: the session of the preAction thaws by its own "thaw": move the command there',
    ],
    [
      'with a session client without ready',
      { preAction: { session: { client: ['c'], freeze: ['f;'], thaw: ['t;'] } } },
      'preAction.session.ready: Required value: with a client, ready is required: the line of its output that confirms the freeze, printed by the last line of freeze',
    ],
    [
      'with ready in a session without a client',
      { preAction: { session: { ...session, ready: 'ok' } } },
      'preAction.session.ready: Forbidden: only a client prints such a line: add client, or remove ready, since the exit code of freeze confirms it',
    ],
    [
      'with a window of 1 second',
      { preAction: { session: { ...session, windowSeconds: 1 } } },
      'preAction.session.windowSeconds: Invalid value: 1: must be a whole number of seconds from 2 to 300, without quotes or a unit',
    ],
    [
      'with two statements in one line of a client',
      { preAction: { session: { ...fed, freeze: ['a;\nb;'] } } },
      'preAction.session.freeze[0]: Invalid value: "a;\\nb;": must be one line; make each line an item of the list',
    ],
    [
      'with an unknown lock scope',
      { preAction: freeze, lockScope: 'Node' },
      'lockScope: Unsupported value: "Node": supported values: "Process", "Kernel"',
    ],
    [
      'with a lock of the kernel that nothing thaws',
      { preAction: freeze, lockScope: 'Kernel' },
      'lockScope: Invalid value: "Kernel": only a thaw releases such a lock: add a postAction, or a session',
    ],
    [
      'with a lock of the kernel that is of a client',
      { preAction: { session: fed }, lockScope: 'Kernel' },
      'lockScope: Invalid value: "Kernel": the lock of a client ends with its process: remove lockScope, or set it to Process',
    ],
    ...(
      [
        ['of a lock of a process', { preAction: freeze, postAction: freeze }],
        [
          'without a command that thaws',
          { preAction: freeze, postAction: { httpGet: { port: 1 } }, lockScope: 'Kernel' },
        ],
      ] satisfies [string, HookActions][]
    ).map(([what, actions]): [string, HookActions, string] => [
      `with a rescue ${what}`,
      { ...actions, rescue: {} },
      'rescue: Forbidden: a rescue needs lockScope Kernel, and a thaw by a postAction with exec or by a session without a client: add both, or remove rescue',
    ]),
    [
      'with a recipe and a rescue',
      { rescue: {}, recipe: { name: 'pause' } },
      'rescue: Forbidden: the recipe sets this itself: remove this field, or the recipe',
    ],
    [
      'with a recipe and a lock scope',
      { lockScope: 'Kernel', recipe: { name: 'pause' } },
      'lockScope: Forbidden: the recipe sets this itself: remove this field, or the recipe',
    ],
    [
      'with a recipe and a preAction',
      { preAction: freeze, recipe: { name: 'pause' } },
      'preAction: Forbidden: the recipe sets this itself: remove this field, or the recipe',
    ],
    [
      'with an unknown recipe',
      { recipe: { name: 'paus' } },
      'recipe.name: Invalid value: "paus": there is no such recipe: "lifehook recipes list" lists them',
    ],
    [
      'without a parameter of a recipe',
      { recipe: { name: 'pause' } },
      'recipe.parameters.user: Required value: give it: who asks',
    ],
    [
      'with a parameter that the recipe does not have',
      { recipe: { name: 'pause', parameters: { user: 'u', prot: '1' } } },
      'recipe.parameters: Invalid value: "prot": the recipe pause has the parameters port, user: did you mean "port"?',
    ],
    [
      'with a longer freeze than the recipe is safe for',
      { recipe: { name: 'pause', parameters: { user: 'u' } }, expirationSeconds: 61 },
      'recipe: Invalid value: 61: the recipe pause is safe for at most 60 seconds: lower expirationSeconds',
    ],
  ])('%s', (_, actions, message) => {
    expect(messages(actions)).toEqual([message]);
  });

  it('with the path of the field', () => {
    expect(messages({ preAction: { exec: { command: [''] } } }, 'spec')).toEqual([
      'spec.preAction.exec.command: Required value: name the program, then each argument as a separate string',
    ]);
  });
});
