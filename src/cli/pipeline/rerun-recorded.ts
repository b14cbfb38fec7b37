/** Runs one recorded hook again, in a session with the options of the recorded one. */
import { dirname, join } from 'node:path';
import process from 'node:process';

import { findRun, type Rerun, rerunHook } from '../../lifecycles/pipeline/drive/rerun.ts';
import type { RecordedRun } from '../../lifecycles/pipeline/hooks/recorded-run.ts';
import { RunRecords } from '../../lifecycles/pipeline/hooks/run-records.ts';
import { nodeScratchFiles } from '../../platform/node-scratch-files.ts';
import { configFile } from './config-facts.ts';
import { OPTION_DEFAULTS, type PipelineOptions } from './options.ts';
import { runVerb } from './run-verb.ts';
import { readSessionRecord, sessionFolders, type SessionRecord } from './session-folder.ts';

export async function rerun(wanted: string, given: Partial<PipelineOptions>): Promise<number> {
  const { stateFolder, records } = await recordsOf(given.filename);
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

/** The values that `rerun` accepts: hook addresses and run ids, newest first. */
export async function recordedHooks(filename: string | undefined): Promise<readonly string[]> {
  const { records } = await recordsOf(filename);
  const all = await records.all();
  return [...new Set([...all.map(({ address }) => address), ...all.map(({ runId }) => runId)])];
}

async function recordsOf(
  filename: string | undefined,
): Promise<{ readonly stateFolder: string; readonly records: RunRecords }> {
  const stateFolder = join(dirname(await configFile(filename)), '.lifehook');
  return { stateFolder, records: new RunRecords(nodeScratchFiles, join(stateFolder, 'runs')) };
}

/** The session that recorded the hook; null: the record no longer exists. */
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
  // The ports are left out, because the recorded session may still run and use them.
  const { httpPort: _, rpcHttpPort: _http, rpcPort: _rpc, ...recorded } = { ...then?.options };
  return { ...OPTION_DEFAULTS, ...recorded, ...given };
}
