/** `lifehook oci inject`: adds the matching hooks to a bundle that another program will run. */
import { resolve } from 'node:path';
import process from 'node:process';
import { injectBundle } from '../../lifecycles/container/life/inject.ts';
import type { LoadPolicy } from '../../lifecycles/container/hooksd/load.ts';
import type { PrestartMode } from '../../lifecycles/container/hooksd/select.ts';
import { stages } from '../../lifecycles/container/points.ts';
import { exitCodes } from '../exit-codes.ts';
import type { FolderOptions } from './hook-folders.ts';
import { reportProblems } from '../report-problems.ts';
import { scanOptions } from './runtime-containers.ts';

export interface InjectCommandOptions extends FolderOptions {
  readonly prestart: PrestartMode;
  readonly badFiles: LoadPolicy['badFiles'];
  readonly brokenHooks: LoadPolicy['brokenHooks'];
}

export async function runOciInject(bundle: string, options: InjectCommandOptions): Promise<number> {
  const scan = scanOptions(options);
  const { prestart, badFiles, brokenHooks } = options;
  const source = { scan, policy: { badFiles, brokenHooks }, prestart };
  const { chosen, changed } = await injectBundle(
    { files: scan.files, folder: resolve(bundle), trust: scan },
    source,
  );
  reportProblems(chosen.warnings);
  const counts = stages.flatMap((stage) => {
    const { length } = chosen.hooks[stage] ?? [];
    return length === 0 ? [] : [`${stage} ${length}`];
  });
  const what = counts.length === 0 ? 'no hook applies' : counts.join(', ');
  process.stdout.write(
    `${changed ? 'config.json was changed' : 'config.json is unchanged'}: ${what}\n`,
  );
  return exitCodes.done;
}
