/** Tests a command in a terminal under a runtime that returns only some time after the command has started. */
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { finish, openStand } from '../e2e/runtime-stand.ts';
import { until } from '../e2e/runtime-watching.ts';
import { sh } from '../e2e/runtime-words.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-slow-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A script that calls runc, and returns from `exec --detach` one second late. */
async function slowRuntime(): Promise<string> {
  const command = join(folder, 'runc');
  const script =
    'runc "$@"; code=$?; case " $* " in *" exec --detach "*) sleep 1;; esac; exit $code';
  await writeFile(command, `#!/bin/sh\n${script}\n`);
  await chmod(command, 0o755);
  return command;
}

describe('a command in a terminal', () => {
  it('is killed when its client leaves before the runtime has returned', async () => {
    await using stand = await openStand({ name: 'runc', command: await slowRuntime() });
    const container = await stand.run('sleep 600');
    const session = container.exec(sh('echo $$ >tmp/own; sleep 600', { stdin: true, tty: true }));
    const has = async (script: string): Promise<boolean> =>
      (await finish(container.exec(sh(script)))).exitCode === 0;
    await until(() => has('test -s tmp/own'));
    session.close();
    await until(() => has('! kill -0 $(cat tmp/own)'));
    await container.kill();
    const left = await readdir(join(stand.world.stateFolder, 'containers', container.id));
    expect(left.filter((name) => /^exec-.*\.(pid|terminal)$/.test(name))).toEqual([]);
  });
});
