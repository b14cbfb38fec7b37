import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { neverCancelled } from '../../../engine/act.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import type { RunningProcess } from '../../../platform/platform.ts';
import { runHookCommand } from './behind-runner.ts';

it('takes no end that an earlier hook has left for that of its own (OCI-D2)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-runner-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const endFile = `${folder}/hooks.end`;
  const end = { exit: { code: 0, signal: null }, cause: null, failure: null };
  await writeFile(endFile, JSON.stringify({ kind: 'ended', end }));
  const broken = { exited: Promise.resolve({ code: 1, signal: null }) } as RunningProcess;
  const platform = { ...nodePlatform, processes: { spawn: () => broken } };
  const command = { kind: 'command', path: '/hook', command: ['/hook'] } as const;
  const request = { runId: 'web/createRuntime', step: 'createRuntime hook #0', attempt: 1 };
  const running = runHookCommand(
    command,
    { ...request, timeoutMs: null, signal: neverCancelled },
    { platform, runner: { argv: ['/runner'], endFile } },
  );
  await expect(running).rejects.toThrow(
    'the runner of the hook exited with code 1 before it reported the result of the hook',
  );
});
