/**
 * Runs precreate hooks, an extension stage of Podman. Each hook reads the proposed config.json on stdin and prints its
 * replacement, which the next hook reads. The output must be a config.json, or nothing changes and no container is
 * created.
 */
import type { AttemptRequest } from '../../../engine/act.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { CONFIG_MAX_BYTES } from '../config/config-text.ts';
import type { CommandHandler } from '../../../model/hook.ts';
import { decodeUtf8, encodeUtf8 } from '../../../platform/byte-text.ts';
import { wrongInContainerConfig } from '../config/container-config.ts';
import { runPoint, type PointOutcome, type PointRunning } from '../hook-runs/run-point.ts';
import { runHookCommand } from '../hook-runs/behind-runner.ts';
import { captureWholeOutput } from '../hook-runs/whole-output.ts';

export type Filtering =
  | { readonly kind: 'filtered'; readonly text: ByteText }
  | Exclude<PointOutcome, { kind: 'done' }>;

export async function filterConfig(
  running: Omit<PointRunning, 'point' | 'act' | 'emit'>,
  proposed: ByteText,
): Promise<Filtering> {
  const config = { text: proposed };
  const act = async (command: CommandHandler, request: AttemptRequest): Promise<AttemptResult> =>
    runFilter({ ...command, stdin: decodeUtf8(config.text) }, request, { ...running, config });
  const outcome = await runPoint({ ...running, point: 'precreate', act });
  return outcome.kind === 'done' ? { kind: 'filtered', text: config.text } : outcome;
}

/** The only value that changes from one precreate hook to the next. */
interface CurrentConfig {
  text: ByteText;
}

async function runFilter(
  command: CommandHandler,
  request: AttemptRequest,
  {
    platform,
    runner,
    config,
  }: Pick<PointRunning, 'platform' | 'runner'> & {
    readonly config: CurrentConfig;
  },
): Promise<AttemptResult> {
  // The configuration is neither recorded nor shown: it has the container's secrets.
  const output = captureWholeOutput(platform.processes, CONFIG_MAX_BYTES);
  const { processes } = output;
  const on = { platform: { ...platform, processes }, runner };
  const result = await runHookCommand(command, request, on);
  if (result.outcome !== 'Succeeded') return result;
  const printed = output.text();
  if (printed === null) return failed(result, `It printed more than ${CONFIG_MAX_BYTES} bytes.`);
  const text = encodeUtf8(printed);
  const wrong = wrongInContainerConfig(text);
  if (wrong !== null) return failed(result, wrong);
  config.text = text;
  return result;
}

function failed(result: AttemptResult, why: string): AttemptResult {
  return {
    ...result,
    outcome: 'Failed',
    reason: `The hook must print the configuration to use. ${why}`,
  };
}
