import { describe, expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import type { HookActions } from '../kinds.ts';
import { HOOK_FINALIZER } from '../names.ts';
import { TEMPLATE_PATIENCE_SECONDS } from '../schema/limits.ts';

const ACTIONS: HookActions = {
  preAction: { exec: { command: ['freeze'] } },
  postAction: { exec: { command: ['thaw'] } },
};
const PATIENCE_MS = TEMPLATE_PATIENCE_SECONDS * 1_000;

function benchWithWaitingHook(): HookBench {
  const bench = new HookBench();
  bench.makePod('a');
  bench.makeHook('h', { executionHookTemplateName: 'late' });
  bench.start();
  return bench;
}

/** The types and reasons of the conditions that are True (CTRL-K4). */
function trueConditions(bench: HookBench): readonly string[] {
  const { conditions = [] } = bench.hook('h')?.status ?? {};
  return conditions
    .filter(({ status }) => status === 'True')
    .map(({ type, reason }) => `${type} ${reason}`);
}

describe('a hook whose template is not there', () => {
  it('waits, with a condition that says for what, and with nothing run', async () => {
    const bench = benchWithWaitingHook();
    await bench.eventually('waits', () => bench.condition('Frozen') === 'TemplateNotFound');
    await bench.pass(PATIENCE_MS - 2_000);
    const { status, metadata } = bench.hook('h') ?? {};
    expect(status?.preActionSucceed).toBeUndefined();
    expect(metadata?.finalizers).toBeUndefined();
    const [condition] = status?.conditions ?? [];
    expect(condition).toMatchObject({ type: 'Frozen', status: 'False' });
    expect(condition?.message).toContain('There is no ExecutionHookTemplate late');
    expect(condition?.message).toContain('waits until 30 s after its creation');
    expect(trueConditions(bench)).toEqual(['Reconciling TemplateNotFound']);
    expect(bench.ran).toEqual([]);
  });

  it('freezes when the template is created', async () => {
    const bench = benchWithWaitingHook();
    await bench.eventually('waits', () => bench.condition('Frozen') === 'TemplateNotFound');
    bench.makeTemplate('other', ACTIONS);
    bench.makeTemplate('late', ACTIONS);
    await bench.eventually('frozen', bench.isFrozen(), PATIENCE_MS / 2);
    expect(bench.condition('Frozen')).toBe('AllFrozen');
    expect(bench.hook('h')?.metadata?.finalizers).toEqual([HOOK_FINALIZER]);
  });

  it('fails with that reason when its patience is over, and runs nothing later either', async () => {
    const bench = benchWithWaitingHook();
    await bench.eventually('failed', bench.hasFailed(), PATIENCE_MS + 5_000);
    expect(trueConditions(bench)).toEqual(['Stalled TemplateNotFound', 'Failed TemplateNotFound']);
    bench.makeTemplate('late', ACTIONS);
    await bench.pass(60_000);
    expect(bench.ran).toEqual([]);
    expect(bench.events()).toEqual([
      'TemplateNotFound: There is no ExecutionHookTemplate late in this namespace: create it, or correct the name and create the hook again. The hook has waited for 30 s.',
    ]);
  });

  it('counts its patience from its creation, also where another controller takes over', async () => {
    const bench = benchWithWaitingHook();
    await bench.pass(PATIENCE_MS - 5_000);
    bench.start();
    await bench.eventually('failed', bench.hasFailed(), 10_000);
    expect(bench.condition('Failed')).toBe('TemplateNotFound');
  });

  it('can be deleted while it waits', async () => {
    const bench = benchWithWaitingHook();
    await bench.eventually('waits', () => bench.condition('Frozen') === 'TemplateNotFound');
    bench.deleteHook('h');
    await bench.eventually('gone', bench.isDeleted());
    bench.makeTemplate('late', ACTIONS);
    await bench.pass(60_000);
    expect(bench.ran).toEqual([]);
  });
});
