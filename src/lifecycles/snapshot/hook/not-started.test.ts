/** Attempts that were certainly not started, and the attempts that a status keeps besides. */
import { describe, expect, it } from 'vitest';

import { type Behaviour, HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';

const DENIED: Behaviour = {
  refused: {
    code: 403,
    reason: 'Forbidden',
    message:
      'pods "a" is forbidden: User "lifehook" cannot create resource "pods/exec" in API group "" in the namespace "ns"',
  },
};
const UNREACHED: Behaviour = { refused: { code: 503, message: 'no route to the node' } };

/** Each attempt gets the next behaviour; further attempts get the last one. */
function inTurn(...behaviours: readonly Behaviour[]): () => Behaviour {
  let index = -1;
  return () => {
    index = Math.min(index + 1, behaviours.length - 1);
    return behaviours[index] ?? { exitCode: 0 };
  };
}

function benchWith(freeze: Behaviour | (() => Behaviour)): HookBench {
  const bench = new HookBench();
  bench.makePod('a');
  bench.behaviours.set('freeze', freeze);
  bench.makeHook('h', { preAction: { exec: { command: ['freeze'] }, actionTimeoutSeconds: 30 } });
  bench.start();
  return bench;
}

const preOf = (bench: HookBench) => bench.targets()[0]?.preActionStatus;

describe('an exec that is denied', () => {
  it('fails the freeze at once, names the right that is missing, and is not undone', async () => {
    const bench = benchWith(DENIED);
    await bench.eventually('settled', bench.isFree(), 1_000);
    expect(bench.commands()).toEqual(['freeze a/db']);
    expect(preOf(bench)?.error?.message).toMatch(
      /"create pods\/exec in namespace ns" \(403\): grant create and get on pods\/exec .*The server says: pods "a" is forbidden/u,
    );
    const { preActionSucceed, postActionSucceed } = bench.hook('h')?.status ?? {};
    expect([preActionSucceed, postActionSucceed, bench.condition('Failed')]).toEqual([
      false,
      true,
      'PreActionFailed',
    ]);
    expect(bench.targets()[0]?.thawedBy).toBeUndefined();
  });

  it('leaves the other containers of the hook to be thawed', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makePod('b');
    bench.behaviours.set('freeze b/db', DENIED);
    bench.makeHook('h');
    bench.start();
    await bench.eventually('settled', bench.isFree(), 1_000);
    expect(bench.commands().toSorted()).toEqual(['freeze a/db', 'freeze b/db', 'thaw a/db']);
  });

  it('is undone after an attempt that may have frozen', async () => {
    const bench = benchWith(inTurn({ exitCode: 3, output: 'locked half' }, DENIED));
    await bench.eventually('settled', bench.isFree());
    expect(bench.commands()).toEqual(['freeze a/db', 'freeze a/db', 'thaw a/db']);
    expect(preOf(bench)?.error?.message).toBe('The command exited with code 3.');
  });

  it('makes a thaw overdue at once, and the thaw is retried until it is allowed', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('h', { postAction: { exec: { command: ['thaw'] }, actionTimeoutSeconds: 60 } });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.behaviours.set('thaw', DENIED);
    bench.deleteHook('h');
    await bench.eventually('overdue', () => bench.condition('Thawed') === 'ThawOverdue', 2_000);
    bench.behaviours.delete('thaw');
    await bench.eventually('gone', bench.isDeleted());
  });
});

describe('an attempt that was never started', () => {
  it('does not hide the one that failed', async () => {
    const bench = benchWith(inTurn({ exitCode: 3, output: 'the disk is full' }, UNREACHED));
    await bench.eventually('settled', bench.isFree());
    const { attempts = [], error } = preOf(bench) ?? {};
    expect(error?.message).toBe('The command exited with code 3.');
    expect(attempts.map(({ output, notStarted }) => output ?? notStarted)).toEqual([
      'the disk is full',
      'Unreached',
      'Unreached',
      'Unreached',
      'Unreached',
    ]);
    expect(attempts[0]?.number).toBe(1);
    expect(bench.condition('Failed')).toBe('PreActionFailed');
    expect(bench.commands().at(-1)).toBe('thaw a/db');
  });

  it('is retried, and one after it that succeeds is thawed', async () => {
    const bench = benchWith(inTurn(UNREACHED, UNREACHED, { exitCode: 0 }));
    await bench.eventually('frozen', bench.isFrozen());
    bench.deleteHook('h');
    await bench.eventually('gone', bench.isDeleted());
    expect(bench.commands().slice(-2)).toEqual(['freeze a/db', 'thaw a/db']);
  });

  it('leaves nothing to undo where all were so', async () => {
    const bench = benchWith(UNREACHED);
    await bench.eventually('settled', bench.isFree());
    expect(new Set(bench.commands())).toEqual(new Set(['freeze a/db']));
  });
});

describe('what is kept of attempts', () => {
  it('is the output of the first and of the last, with their numbers', async () => {
    let count = 0;
    const bench = benchWith(() => ({ exitCode: 1, output: `try ${(count += 1)}` }));
    await bench.eventually('settled', bench.isFree());
    const { attempts = [], earlierAttempts } = preOf(bench) ?? {};
    expect(count).toBeGreaterThan(5);
    expect([attempts.length, earlierAttempts]).toEqual([5, count - 5]);
    expect(attempts.map(({ output }) => output)).toEqual([
      'try 1',
      undefined,
      undefined,
      undefined,
      `try ${count}`,
    ]);
    expect([attempts[0]?.number, attempts.at(-1)?.number]).toEqual([1, undefined]);
  });

  it('says how much output there was where only its end is kept', async () => {
    const output = `${'x'.repeat(12_000)}the end`;
    const bench = benchWith({ exitCode: 0, output });
    await bench.eventually('frozen', bench.isFrozen());
    const kept = preOf(bench)?.attempts?.[0]?.output ?? '';
    expect(kept).toMatch(/^… 12007 bytes in all, the end follows:\nx+the end$/u);
    expect(new TextEncoder().encode(kept).length).toBeLessThanOrEqual(1_024);
  });
});
