/**
 * Tests the native runner that watches a hook of a command, and the native supervisor of a container: as child
 * subreapers, they lose no process of the hook or of the container.
 */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { containerId, hasExited, openStand, until, type Stand } from '../e2e/oci-life-stand.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
  Object.assign(stand.life, { hookRunner: [resolve('dist/shim/lifehook-hook')] });
});
afterEach(() => stand.close());

/** The hook records its own pid and the pid of its orphan in another session. Both ignore TERM. */
const hookText = `#!/bin/sh
PATH=/usr/bin:/bin; cd "\${0%/*}"; trap : TERM
(setsid sh -c 'trap : TERM; echo $$ >>said; while true; do sleep 1; done' &)
echo $$ >>said; while true; do sleep 1; done
`;

const processes = async (): Promise<string[]> => {
  const said = join(stand.folder, 'said');
  const numbers = async (): Promise<string[]> =>
    (await readFile(said, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  await until(async () => (await numbers()).length === 2, 'the hook and its orphan run');
  return numbers();
};

describe('the native runner next to a hook', () => {
  it('ends an orphan that left the session, at the deadline of a hook whose command was killed', async () => {
    const hook = await stand.script('slow.sh', hookText);
    await stand.writeConfig({ hooks: { createRuntime: [{ ...hook, timeout: 8 }] } });
    const creating = stand.command({ do: 'create', options: stand.options() });
    const left = await processes();
    creating.kill('SIGKILL');
    await creating.outcome;
    for (const pid of left) await until(() => hasExited(pid), `process ${pid} of the hook is gone`);
  });

  it('says that the deadline was the cause, and leaves nothing of the hook', async () => {
    const hook = await stand.script('slow.sh', hookText);
    await stand.writeConfig({ hooks: { createRuntime: [{ ...hook, timeout: 8 }] } });
    const outcome = await stand.create();
    expect(outcome).toMatchObject({ kind: 'failed', problem: { code: 'LHC220' } });
    if (outcome.kind !== 'failed') return;
    expect(outcome.problem.message).toContain(`container ${containerId}`);
    expect(outcome.problem.message).toContain('did not end within 8 s: it was killed by SIGKILL');
    const also = new RegExp(
      `SIGKILL\\. .* killed too: .*\\b(${(await processes()).join('|')}) \\(sh\\)`,
      'u',
    );
    expect(outcome.problem.message).toMatch(also);
    expect(await Promise.all((await processes()).map(hasExited))).toEqual([true, true]);
  });
});

/** The program exits after its orphan runs. */
const programEnd = 'until [ -s said ]; do sleep 0.05; done; echo $$ >>said\n';

it('the native supervisor ends an orphan of the container that left the session, before the poststop hooks (OCI-K2)', async () => {
  Object.assign(stand.life, { supervisor: [resolve('dist/shim/lifehook-supervise')] });
  const text = hookText.replace(/echo \$\$ >>said; while.*\n$/, () => programEnd);
  const { path } = await stand.script('leaves.sh', text);
  await stand.writeConfig({
    process: { cwd: '/', args: [path], env: ['PATH=/usr/bin:/bin'], user: { uid: 0, gid: 0 } },
  });
  expect(await stand.create()).toMatchObject({ kind: 'done' });
  expect(await stand.start()).toMatchObject({ kind: 'done' });
  const left = await processes();
  await until(async () => (await stand.status()) === 'stopped', 'the program has exited');
  await stand.remove();
  expect(await Promise.all(left.map(hasExited))).toEqual([true, true]);
});
