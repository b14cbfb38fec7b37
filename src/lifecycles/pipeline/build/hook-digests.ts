/** What the inputs of hooks hold now: `run: changed` goes by it, and hooks with inputs run before tags are made (B8). */
import type { PipelineHook } from '../hooks/model.ts';
import type { PipelineSession } from '../session.ts';
import { digestFiles } from './file-digest.ts';
import { globFiles } from './walk-files.ts';

/** Of each address with inputs, hex; globs are relative to the folder that the hook runs in. */
export async function hookDigests(
  hooks: readonly PipelineHook[],
  { hooks: { workDir }, platform: { files } }: Pick<PipelineSession, 'hooks' | 'platform'>,
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const { address, action, policy } of hooks) {
    if (policy.inputs.length === 0) continue;
    const folder = (action.kind === 'host' ? action.dir : undefined) ?? workDir;
    const paths = await globFiles(folder, policy.inputs, { files });
    digests.set(address, await digestFiles(paths, folder, files));
  }
  return digests;
}
