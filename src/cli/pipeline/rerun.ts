/** `lifehook pipeline rerun`: one hook once more, as the message of its failure says. */
import type { Command } from 'commander';
import { dirname, join } from 'node:path';
import process from 'node:process';

import type { Rerun } from '../../lifecycles/pipeline/drive/rerun.ts';
import type { RecordedRun } from '../../lifecycles/pipeline/hooks/recorded-run.ts';
import { nodeScratchFiles } from '../../platform/node-scratch-files.ts';
import type { Settle } from '../settle.ts';
import { configFile } from './config-facts.ts';
import { OPTION_DEFAULTS, type PipelineOptions, withPipelineOptions } from './options.ts';
import { readSessionRecord, sessionFolders, type SessionRecord } from './session-folder.ts';

export function addRerunCommand(parent: Command, settle: Settle): void {
  withPipelineOptions(parent.command('rerun'))
    .description('run one hook again, with the variables that were recorded when it ran')
    .argument('<id or address>', 'of the run, or of the hook: then its last run is meant')
    .addHelpText(
      'after',
      '\nOptions are those of the recorded run where they are not given. Secrets come from the environment.',
    )
    .action(async (wanted: string, given: Partial<PipelineOptions>, command: Command) => {
      const isGiven = (name: string): boolean => command.getOptionValueSource(name) !== 'default';
      const own = Object.entries(given).filter(([name]) => isGiven(name));
      settle(await rerun(wanted, Object.fromEntries(own)));
    });
}

async function rerun(wanted: string, given: Partial<PipelineOptions>): Promise<number> {
  const [{ runVerb }, { findRun, rerunHook }, { RunRecords }] = await Promise.all([
    import('./run-verb.ts'),
    import('../../lifecycles/pipeline/drive/rerun.ts'),
    import('../../lifecycles/pipeline/hooks/run-records.ts'),
  ]);
  const stateFolder = join(dirname(await configFile(given.filename)), '.lifehook');
  const records = new RunRecords(nodeScratchFiles, join(stateFolder, 'runs'));
  const run = await findRun(records, wanted);
  const then = await sessionOf(run, stateFolder);
  return runVerb<Rerun>(optionsOf(then, given), {
    name: 'rerun',
    ...(then === null ? {} : { activates: then.verb }),
    need: run.containers === null ? 'optional' : 'required',
    drive: (session) => rerunHook(session, run),
    finish: ({ manifests }) => {
      if (manifests !== null) process.stdout.write(manifests);
    },
  });
}

/** The session that has recorded it; null: it is no longer there. */
async function sessionOf(
  { runId }: RecordedRun,
  stateFolder: string,
): Promise<SessionRecord | null> {
  const id = runId.slice(0, runId.lastIndexOf('-'));
  const folders = await sessionFolders(stateFolder);
  const folder = folders.find((path) => path.endsWith(`-${id}`));
  return folder === undefined ? null : readSessionRecord(folder);
}

function optionsOf(then: SessionRecord | null, given: Partial<PipelineOptions>): PipelineOptions {
  // That port may be served by the session that goes on still.
  const { httpPort: _, ...recorded } = { ...then?.options };
  return { ...OPTION_DEFAULTS, ...recorded, ...given };
}
