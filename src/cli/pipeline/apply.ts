import type { Command } from 'commander';
import { resolve } from 'node:path';

import type { Deployed, PhaseResult, PipelineSession } from '../../lifecycles/pipeline/session.ts';
import type { Settle } from '../exit-codes.ts';
import {
  OPTION_DEFAULTS,
  type PipelineOptions,
  type StayOptions,
  withDeployOptions,
  withLabelOption,
  withPipelineOptions,
  withStayOptions,
} from './options.ts';

export function addApplyCommand(parent: Command, settle: Settle): void {
  withStayOptions(withDeployOptions(withLabelOption(withPipelineOptions(parent.command('apply')))))
    .description('Apply rendered manifests, with the hooks of the deployment')
    .argument('<path...>', 'files, directories or globs of manifests')
    .addHelpText('after', '\nNothing is deleted: what an earlier deployment has created stays.')
    .action(async (paths: string[], given: Partial<PipelineOptions> & StayOptions) => {
      const [{ runVerb }, { driveApply, stayOpen }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/deploy.ts'),
      ]);
      const patterns = paths.map((path) => resolve(path));
      const drive = async (session: PipelineSession): Promise<PhaseResult<Deployed>> => {
        const applied = await driveApply(session, patterns);
        return applied.outcome === 'Succeeded' ? stayOpen(session, applied.value, given) : applied;
      };
      const options = { ...OPTION_DEFAULTS, ...given };
      settle(await runVerb(options, { name: 'apply', need: 'required', drive }));
    });
}
