import { describe, expect, test } from 'vitest';

import { containerHook, hostHook } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import type { HookDecision } from './decide.ts';
import type { PipelineHook } from './model.ts';
import { planLine, planText } from './plan-lines.ts';

const FACTS = { workDir: '/p', variables: {}, image: null, matching: null };
const runs = (hook: PipelineHook): HookDecision => ({ hook, runs: true, reason: 'its phase runs' });
const skipped = (hook: PipelineHook): HookDecision => {
  return { hook, runs: false, cause: 'os', reason: 'it is for windows' };
};

describe('the place of a hook in a plan', () => {
  const where = (
    action: Omit<Parameters<typeof containerHook>[0], 'command'>,
    more: object = {},
  ): string =>
    planLine(runs(containerHook({ command: ['x'], ...action })), { ...FACTS, ...more }).where;

  test('is this machine, in its own directory or that of the pipeline', () => {
    expect(planLine(runs(hostHook(['x'])), FACTS).where).toBe('on this machine, in /p');
    const own = hostHook(['x'], { action: { dir: '/p/sub' } });
    expect(planLine(runs(own), FACTS).where).toBe('on this machine, in /p/sub');
  });

  test.each([
    [{}, {}, 'in running containers'],
    [{ podName: 'web-*' }, {}, 'in running containers of pods web-*'],
    [{ podPrefix: 'web-' }, {}, 'in running containers of pods that begin with web-'],
    [{ containerName: 'app' }, {}, 'in running containers called app'],
    [{}, { image: 'web:1' }, 'in running containers of the image web:1'],
    [{}, { matching: 0 }, 'in running containers; 0 now'],
    [
      { podName: 'a', podPrefix: 'b', containerName: 'c' },
      { image: 'i', matching: 3 },
      'in running containers of the image i of pods a of pods that begin with b called c; 3 now',
    ],
  ])('of %j with %j is "%s"', (action, more, text) => {
    expect(where(action, more)).toBe(text);
  });
});

describe('the line of a hook in a plan', () => {
  test('PIPE-CASE32: does not run where no container matches, which only container hooks need', () => {
    const container = containerHook({ command: ['x'] });
    const line = (hook: PipelineHook, matching: number | null): string => {
      const { runs: does, reason } = planLine(runs(hook), { ...FACTS, matching });
      return `${does} ${reason}`;
    };
    expect(line(container, 0)).toBe('false no container matches now');
    expect(line(container, 1)).toBe('true its phase runs');
    expect(line(container, null)).toBe('true its phase runs');
    expect(line(hostHook(['x']), 0)).toBe('true its phase runs');
    const other = planLine(skipped(container), { ...FACTS, matching: 0 });
    expect([other.runs, other.reason]).toEqual([false, 'it is for windows']);
  });

  test('of a hook that is skipped begins with "-", and shows no variables', () => {
    const facts = { ...FACTS, variables: { B: '2', A: '1' } };
    const hook = hostHook(['x']);
    expect(planText(planLine(skipped(hook), facts))).toBe(
      [
        '- build/web/before/0: it is for windows',
        '    x',
        '    on this machine, in /p; /p/skaffold.yaml:12:9',
      ].join('\n'),
    );
    expect(
      planText(planLine(runs(hook), facts))
        .split('\n')
        .slice(3),
    ).toEqual(['    A=1', '    B=2']);
  });
});
