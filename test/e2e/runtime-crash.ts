/**
 * Kills a node again and again, each time a little later after its first container, and checks the state that the next
 * node finds.
 */
import { spawn } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RunningContainer } from '../../src/platform/container-runtime.ts';
import { logOf } from './runtime-words.ts';
import { POLL, openStand, type Kind, type Stand } from './runtime-stand.ts';

/** Latest time of a kill, in milliseconds after the first container id. Some containers exit before that. */
const LONGEST_MS = 400;

export async function killAgainAndAgain(kind: Kind, rounds: number): Promise<void> {
  await using stand = await openStand(kind);
  // A file in the image's directory: the working directory of the process runner, and a volume for other runners.
  const starts = `${stand.image.rootPath ?? ''}/starts`;
  await appendFile(starts, '');
  for (let round = 0; round < rounds; round += 1) {
    const afterMs = (round * LONGEST_MS) / rounds;
    const { intended, started } = await runUntilKilled(stand, `r${round}`, { afterMs });
    const runtime = await stand.reopen();
    const adopted = await runtime.list();
    expect(adopted.map(({ id }) => id)).toEqual(expect.arrayContaining([...started]));
    expect(intended).toEqual(expect.arrayContaining(adopted.map(({ id }) => id)));
    for (const container of adopted) await check(container);
    const ids = (await readFile(starts, 'utf8')).split('\n');
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id } of adopted) expect(ids).toContain(id);
    await Promise.all(adopted.map(removed));
    expect(await stand.runtime.list()).toEqual([]);
  }
}

async function check(container: RunningContainer): Promise<void> {
  switch (Number(container.id.split('-')[1]) % 3) {
    case 0:
      expect(await container.ended).toMatchObject({ exitCode: 7, signal: null });
      return;
    case 1:
      expect(await container.ended).toMatchObject({ exitCode: 9, signal: null });
      expect(await logOf(container)).toBe('late\n');
      return;
    default:
      expect(container.end).toBeNull();
      await expect.poll(() => logOf(container), POLL).toBe('up\n');
  }
}

async function removed(container: RunningContainer): Promise<void> {
  await container.kill();
  await container.remove();
}

interface Said {
  readonly intended: readonly string[];
  /** The ids in `intended` whose start has resolved. */
  readonly started: readonly string[];
}

/** Runs a node and kills it `afterMs` after it has printed its first container id. */
async function runUntilKilled(
  { world, image, kind }: Stand,
  prefix: string,
  { afterMs }: { readonly afterMs: number },
): Promise<Said> {
  const { supervisorArgv, stateFolder } = world;
  const args = [
    supervisorArgv.join(' '),
    stateFolder,
    image.rootPath ?? '',
    prefix,
    JSON.stringify(kind),
  ];
  const owner = spawn(process.execPath, ['--import', 'tsx', 'test/e2e/runtime-owner.ts', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const first = new Promise<void>((resolve) => {
    owner.stdout.on('data', (piece: Buffer) => {
      said += piece.toString();
      resolve();
    });
  });
  const closed = new Promise((resolve) => owner.once('close', resolve));
  await Promise.race([first, closed]);
  await wait(afterMs);
  owner.kill('SIGKILL');
  await closed;
  const lines = said.split('\n').map((line) => line.split(' '));
  const saidOf = (wanted: string): string[] =>
    lines.flatMap(([verb, id]) => (verb === wanted && id !== undefined ? [id] : []));
  return { intended: saidOf('intend'), started: saidOf('started') };
}
