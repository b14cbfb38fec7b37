import { spawn } from 'node:child_process';
import process from 'node:process';
import { expect, it } from 'vitest';

import { nodeFiles } from '../../../platform/files.ts';
import { procTable } from '../../../store/process-table.ts';
import type { Container } from '../life/container.ts';
import type { Life } from '../life/life.ts';
import { processRunner } from './process-runner.ts';

const lifeThatMaySignal = (may: boolean): Life =>
  ({
    platform: { files: nodeFiles },
    supervision: { signalProcess: () => may },
  }) as unknown as Life;

const web = { id: 'web' } as Container;

it('a signal to a process of another user fails, unless the process has exited', async () => {
  const self = await procTable(nodeFiles).self();
  const kill = (may: boolean, pid = process.pid): Promise<void> =>
    processRunner(lifeThatMaySignal(may)).kill(web, { ...self, pid }, 'SIGTERM');
  await kill(true);
  await expect(kill(false)).rejects.toThrow(
    `LHC232: The process of container web (${process.pid}) got no SIGTERM: it runs as another user.`,
  );
  const exited = spawn('true');
  await new Promise((resolve) => exited.once('exit', resolve));
  await kill(false, exited.pid);
});
