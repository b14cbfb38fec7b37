import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { bundle } from '../bundle.ts';
import { podMutants } from './mutants.ts';

const NAME = 'the grace begins anew in each life of the node';
const SEED = '29';

it('prints who did what to a pod whose grace period restarts with a restarted node', async () => {
  const mutant = podMutants.find(({ name }) => name === NAME);
  if (mutant === undefined) throw new Error(`no mutant "${NAME}"`);
  const { file, text, by } = mutant;
  const directory = await mkdtemp(join(tmpdir(), 'lifehook-story-'));
  try {
    const outfile = join(directory, 'main.mjs');
    const change = (original: string): string => original.replace(text, () => by);
    await bundle('test/sim/main.ts', { outfile, replacement: { file, change } });
    const story = await shrinkSeed(outfile);
    const acts = [
      /user +deletes the pod, grace period \d+ s/,
      /node +u_main1_0: begins to stop/,
      /node +main1: gets TERM/,
      /fault +node program: killed/,
      /node +main1: gets KILL/,
      /runtime +main1: exits/,
      /BROKEN +POD-S3: the end of u_main1_0 is \d+ ms late/,
    ];
    const places = acts.map((act) => story.search(act));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  } finally {
    await rm(directory, { recursive: true });
  }
});

/** The seed violates an invariant, so the command exits with an error, which is ignored. */
function shrinkSeed(script: string): Promise<string> {
  const args = [script, '--lifecycle', 'pod', '--seed', SEED, '--shrink'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (_error, stdout) => {
      resolve(stdout);
    });
  });
}
