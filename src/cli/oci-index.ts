/** `lifehook oci index`: builds the shim's index of the hook folders, as the shim's settings name them. */
import process from 'node:process';
import { re2Compiler } from '../lifecycles/container/hooksd/re2.ts';
import { buildIndex, storeIndex } from '../lifecycles/container/index/build-index.ts';
import { indexQuestion } from '../lifecycles/container/shim/inject-hooks.ts';
import { loadSettings, SETTINGS_PATH } from '../lifecycles/container/shim/runtime-settings.ts';
import { nodeFingerprints } from '../platform/node-fingerprint.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { exitCodes } from './exit-codes.ts';
import { reportProblems } from './report-failure.ts';
import { trustedOwners } from './scan-options.ts';

export interface IndexCommandOptions {
  readonly config?: string;
}

export async function runOciIndex({ config }: IndexCommandOptions): Promise<number> {
  const { files, clock } = nodePlatform;
  const owners = trustedOwners();
  // The default place may be empty; a file that was named has to be there.
  if (config !== undefined) await files.stat(config);
  const settings = await loadSettings(files, config ?? SETTINGS_PATH, owners);
  const question = indexQuestion({ settings, owners });
  const compile = re2Compiler();
  const built = await buildIndex({
    files,
    clock,
    compile,
    fingerprints: nodeFingerprints,
    ...question,
  });
  await storeIndex(files, settings.index, built);
  reportProblems(built.set.problems);
  const { length } = built.set.active;
  process.stdout.write(
    `${settings.index}: ${length} hook file${length === 1 ? '' : 's'} of ${question.folders.join(', ')}\n`,
  );
  if (built.refusals.length === 0) return exitCodes.done;
  process.stderr.write('No container can be created until the errors above are mended.\n');
  return exitCodes.failed;
}
