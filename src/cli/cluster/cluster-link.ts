/** Links to the timeline of a local cluster: made with the key in its folder, by whoever may read it. */
import { join } from 'node:path';

import { nodePlatform } from '../../platform/node-platform.ts';
import { newLink } from '../ui/timeline-link.ts';
import type { RunningCluster } from './cluster-state.ts';

export const KEY_FILE = 'timeline.key';

/** A link that is good once; null: that cluster serves no timeline. */
export async function timelineLink(
  folder: string,
  { timeline }: Pick<RunningCluster, 'timeline'>,
): Promise<string | null> {
  if (timeline === undefined) return null;
  return newLink(timeline, (await nodePlatform.files.read(join(folder, KEY_FILE))).trim());
}
