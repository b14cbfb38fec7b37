import { beforeAll, describe, expect, test } from 'vitest';

import { containerHook, hostHook } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { countHooks } from '../events/hook-counts.ts';
import { type DecideFacts, decideHook } from './decide.ts';
import { HookHistory } from './history.ts';
import type { PipelineHook } from './model.ts';
import { planLine, planText } from './plan-lines.ts';

function facts(more: Partial<DecideFacts> = {}): DecideFacts {
  return {
    goos: 'linux',
    cached: false,
    syncFiles: null,
    digests: new Map(),
    history: new HookHistory(),
    ...more,
  };
}

const why = (hook: PipelineHook, more: Partial<DecideFacts> = {}): string => {
  const decision = decideHook(hook, facts(more));
  return decision.runs ? 'runs' : decision.cause;
};

describe('decideHook', () => {
  test('PIPE-CASE1: runs a hook on a system in its os list, and on every system without a list (PIPE-S6)', () => {
    expect(why(hostHook(['x'], { action: { os: ['linux', 'darwin'] } }))).toBe('runs');
    expect(why(hostHook(['x']))).toBe('runs');
  });

  test('PIPE-CASE2: skips a hook of another system, and runs the next one (PIPE-S6)', () => {
    const list = [hostHook(['x'], { action: { os: ['windows'] } }), hostHook(['y'])];
    const decisions = list.map((hook) => decideHook(hook, facts()));
    expect(decisions.map(({ runs }) => runs)).toEqual([false, true]);
    expect(decisions[0]?.reason).toBe('it is for windows, but this machine runs linux');
  });

  test('PIPE-CASE21: skips build hooks of a cached image, unless they have `run: always`', () => {
    expect(why(hostHook(['x']), { cached: true })).toBe('cached');
    expect(why(hostHook(['x'], { policy: { run: 'always' } }), { cached: true })).toBe('runs');
    expect(why(hostHook(['x'], { phase: 'deploy' }), { cached: true })).toBe('runs');
  });

  test('skips a `run: changed` hook while its input digest equals that of the last success, also after it was recalled', async () => {
    const hook = hostHook(['x'], { policy: { run: 'changed', inputs: ['a'] } });
    const digests = new Map([[hook.address, 'd1']]);
    const history = new HookHistory();
    expect(why(hook, { digests, history })).toBe('runs');
    await history.succeeded(hook.address, 'd1');
    expect(why(hook, { digests, history })).toBe('unchanged');
    await history.recall([hook.address]);
    expect(why(hook, { digests, history })).toBe('unchanged');
    expect(why(hook, { digests: new Map([[hook.address, 'd2']]), history })).toBe('runs');
    expect(why(hook, { history })).toBe('runs');
  });

  test('skips a `run: once-per-session` hook after its success in this session', async () => {
    const hook = hostHook(['x'], { policy: { run: 'once-per-session' } });
    const history = new HookHistory();
    expect(why(hook, { history })).toBe('runs');
    await history.succeeded(hook.address, null);
    expect(why(hook, { history })).toBe('once');
  });

  test('skips a sync hook with `paths` when none of them is synced', () => {
    const hook = containerHook(
      { command: ['x'] },
      { phase: 'sync', policy: { paths: ['src/**/*.js'] } },
    );
    expect(why(hook, { syncFiles: ['a.css', 'src/b/c.js'] })).toBe('runs');
    expect(why(hook, { syncFiles: ['a.css'] })).toBe('paths');
    expect(why(hook)).toBe('runs');
  });
});

describe('the reason that `plan` prints for a hook', () => {
  const reason = (hook: PipelineHook, more: Partial<DecideFacts> = {}): string =>
    decideHook(hook, facts(more)).reason;
  const changed = hostHook(['x'], { policy: { run: 'changed', inputs: ['a'] } });
  const once = hostHook(['x'], { policy: { run: 'once-per-session' } });
  const history = new HookHistory();
  beforeAll(() => history.succeeded(changed.address, 'd1'));

  test('says why it runs', () => {
    expect(reason(hostHook(['x']))).toBe('its phase runs');
    expect(reason(hostHook(['x'], { policy: { run: 'always' } }))).toBe('it always runs');
    expect(reason(once)).toBe('it has not succeeded in this session');
    expect(reason(changed)).toBe('it has no inputs to compare');
    const digests = new Map([[changed.address, 'd2']]);
    const since = 'its inputs have changed since its last success';
    expect(reason(changed, { digests, history })).toBe(since);
  });

  test('says why it does not run', () => {
    const elsewhere = hostHook(['x'], { action: { os: ['windows', 'darwin'] } });
    expect(reason(elsewhere)).toBe('it is for windows, darwin, but this machine runs linux');
    expect(reason(hostHook(['x']), { cached: true })).toBe(
      'the image was found in the cache; with `run: always` the hook runs in that case too',
    );
    expect(reason(once, { history })).toBe('it has succeeded in this session');
    const digests = new Map([[changed.address, 'd1']]);
    const same = 'its inputs are the same as at its last success';
    expect(reason(changed, { digests, history })).toBe(same);
    const synced = hostHook(['x'], { phase: 'sync', policy: { paths: ['*.js', '*.ts'] } });
    expect(reason(synced, { syncFiles: ['a.css'] })).toBe('no synced file matches *.js, *.ts');
  });

  test('ignores an empty list of systems, an empty list of paths and a path that is no glob', () => {
    expect(why(hostHook(['x'], { action: { os: [] } }))).toBe('runs');
    expect(why(hostHook(['x']), { syncFiles: ['a'] })).toBe('runs');
    expect(why(hostHook(['x'], { policy: { paths: ['['] } }), { syncFiles: ['['] })).toBe('paths');
  });

  test('does not hold a container hook to a system', () => {
    const hook = containerHook({ command: ['x'] });
    const action = { ...hook.action, os: ['windows'] } as PipelineHook['action'];
    expect(why({ ...hook, action })).toBe('runs');
  });
});

describe('the plan of a hook', () => {
  test('shows command, place and variables, with secrets masked', () => {
    const hook = hostHook(['cp', 'a b', '$X', "it's"], {
      name: 'copy',
      policy: { secrets: ['CODE'] },
    });
    const line = planLine(decideHook(hook, facts()), {
      workDir: '/p',
      variables: { IMAGE: 'web:1', CODE: 'hidden', API_TOKEN: 'hidden' },
      image: null,
      matching: null,
    });
    expect(planText(line)).toBe(
      [
        '+ build/web/before/0 (copy): its phase runs',
        String.raw`    cp 'a b' '$X' 'it'\''s'`,
        '    on this machine, in /p; /p/skaffold.yaml:12:9',
        '    API_TOKEN=***',
        '    CODE=***',
        '    IMAGE=web:1',
      ].join('\n'),
    );
  });

  test('PIPE-CASE32: reports that no container matches, and shows no variables for a container hook', () => {
    const hook = containerHook({ command: ['x'], podName: 'web-*', containerName: 'app' });
    const plan = { workDir: '/p', variables: { IMAGE: 'web:1' }, image: null };
    const none = planLine(decideHook(hook, facts()), { ...plan, matching: 0 });
    expect(none).toMatchObject({ runs: false, reason: 'no container matches now', variables: {} });
    const line = planLine(decideHook(hook, facts()), { ...plan, matching: 2 });
    expect(line.where).toBe('in running containers of pods web-* called app; 2 now');
    expect(line.runs).toBe(true);
  });
});

describe('the counts of hooks', () => {
  test('are grouped by the hook types that events use (PIPE-V3, PIPE-C11, PIPE-C12)', () => {
    const hooks = [hostHook(['a']), hostHook(['b']), containerHook({ command: ['c'] })];
    const more = hostHook(['d'], { phase: 'sync', when: 'onError' });
    expect(countHooks([...hooks, more])).toEqual({
      'pre-build': 2,
      'post-deploy': 1,
      'error-sync': 1,
    });
  });
});
