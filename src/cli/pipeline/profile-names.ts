/** The profiles that `--profile` accepts. */
import { readFile } from 'node:fs/promises';

import { readConfigFile } from '../../lifecycles/pipeline/config/read-file.ts';
import { listAt, textAt } from '../../lifecycles/pipeline/config/tree-edit.ts';
import { configFile } from './config-facts.ts';

/** The profiles in the file itself, without those of required configurations. Rejects if the file cannot be read. */
export async function profileNames(filename: string | undefined): Promise<readonly string[]> {
  const file = await configFile(filename);
  const { configs } = readConfigFile(file, await readFile(file, 'utf8'));
  return configs.flatMap(({ tree }) =>
    listAt(tree, 'profiles').flatMap((one) => textAt(one, 'name') ?? []),
  );
}
