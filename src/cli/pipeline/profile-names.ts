/** The profiles that `--profile` accepts. */
import { readConfigFile } from '../../lifecycles/pipeline/config/read-file.ts';
import { listAt, textAt } from '../../lifecycles/pipeline/config/tree-edit.ts';
import { readFileText } from '../read-text.ts';
import { configFile } from './config-facts.ts';

/** The profiles in the file itself, without those of required configurations. Rejects if the file cannot be read. */
export async function profileNames(filename: string | undefined): Promise<readonly string[]> {
  const file = await configFile(filename);
  const { configs } = readConfigFile(file, await readFileText(file));
  return configs.flatMap(({ tree }) =>
    listAt(tree, 'profiles').flatMap((one) => textAt(one, 'name') ?? []),
  );
}
