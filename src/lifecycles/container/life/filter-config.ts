/**
 * precreate hooks: each reads the proposed config.json on stdin and prints the one to use instead, the
 * next one reads that (podman's extension stage). What one prints must be a config.json, or nothing
 * changes and no container is made.
 */
import type { Act, AttemptRequest } from '../../../engine/act.ts';
import { runCommand } from '../../../handlers/command.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { ByteText, Processes } from '../../../platform/platform.ts';
import { CONFIG_MAX_BYTES } from '../config/bundle.ts';
import { decodeUtf8, encodeUtf8 } from '../config/byte-text.ts';
import { readConfig } from '../config/config-text.ts';
import {
  commandOf,
  runPoint,
  type PointOutcome,
  type PointRunning,
} from '../hook-runs/run-point.ts';

export type Filtering =
  | { readonly kind: 'filtered'; readonly text: ByteText }
  | Exclude<PointOutcome, { kind: 'done' }>;

export async function filterConfig(
  running: Omit<PointRunning, 'point' | 'act' | 'emit'>,
  proposed: ByteText,
): Promise<Filtering> {
  const config = { text: proposed };
  const act: Act = async (request) => runFilter(request, running, config);
  const outcome = await runPoint({ ...running, point: 'precreate', act });
  return outcome.kind === 'done' ? { kind: 'filtered', text: config.text } : outcome;
}

/** The one thing that changes from filter to filter. */
interface CurrentConfig {
  text: ByteText;
}

async function runFilter(
  request: AttemptRequest,
  { platform }: Pick<PointRunning, 'platform'>,
  current: CurrentConfig,
): Promise<AttemptResult> {
  const output = { text: '', tooLong: false };
  const handler = { ...commandOf(request.hook), stdin: decodeUtf8(current.text) };
  const processes = divertStdout(platform.processes, output);
  const result = await runCommand(handler, request, { ...platform, processes });
  if (result.outcome !== 'Succeeded') return result;
  const text = encodeUtf8(output.text);
  const reading = readConfig(text);
  if (output.tooLong) return failed(result, `It printed more than ${CONFIG_MAX_BYTES} bytes.`);
  if (reading.kind === 'refused') return failed(result, reading.problem.message);
  current.text = text;
  return result;
}

/**
 * The configuration goes neither into the record nor onto a terminal: it holds the secrets of
 * the container. Nor may it be masked, as the output of other hooks is.
 */
function divertStdout(processes: Processes, output: { text: string; tooLong: boolean }): Processes {
  return {
    spawn: (spec) =>
      processes.spawn({
        ...spec,
        onOutput: (stream, text, byteLength) => {
          if (stream === 'stderr') spec.onOutput?.(stream, text, byteLength);
          else if (output.text.length + text.length > CONFIG_MAX_BYTES) output.tooLong = true;
          else output.text += text;
        },
      }),
  };
}

function failed(result: AttemptResult, why: string): AttemptResult {
  return { ...result, outcome: 'Failed', reason: `It must print the configuration to use. ${why}` };
}
