import { join } from 'node:path';

import { nodePlatform } from '../../platform/node-platform.ts';
import { nodeRandomness } from '../../platform/randomness.ts';
import { linkPath } from '../../timeline/access.ts';
import type { RunningCluster } from '../cluster/cluster-state.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 16;

/** The secret of a timeline: a process that has it can create links. */
export function newKey(): string {
  return nodeRandomness.hex(KEY_BYTES);
}

/** The full URL of a link that is valid once. */
export function newLink(url: string, key: string): string {
  const nonce = nodeRandomness.hex(NONCE_BYTES);
  return `${url}${linkPath(key, { nonce, nowMs: nodePlatform.clock.nowMs() })}`;
}

export const KEY_FILE = 'timeline.key';

/**
 * A link to the timeline of a local cluster, signed with the key in its state directory, and valid once.
 * null: that cluster serves no timeline.
 */
export async function timelineLink(
  folder: string,
  { timeline }: Pick<RunningCluster, 'timeline'>,
): Promise<string | null> {
  if (timeline === undefined) return null;
  return newLink(timeline, (await nodePlatform.files.read(join(folder, KEY_FILE))).trim());
}
