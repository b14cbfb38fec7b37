import { join } from 'node:path';

import { nodeHttpServer } from '../../platform/node-http-server.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { nodeRandomness } from '../../platform/randomness.ts';
import { Access, linkPath } from '../../timeline/access.ts';
import type { BarStore } from '../../timeline/bar-store.ts';
import { PAGE_FILE, type TimelinePage, timelinePage } from '../../timeline/page.ts';
import { timelineService } from '../../timeline/timeline-service.ts';
import type { RunningCluster } from '../cluster/cluster-state.ts';
import { programFolder, readProgramFile } from '../program-files.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 16;

/** The secret of a timeline: a process that has it can create links. */
export function newKey(): string {
  return nodeRandomness.hex(KEY_BYTES);
}

/** The full URL of a link that can be used once. */
export function newLink(url: string, key: string): string {
  const nonce = nodeRandomness.hex(NONCE_BYTES);
  return `${url}${linkPath(key, { nonce, nowMs: nodePlatform.clock.nowMs() })}`;
}

export const KEY_FILE = 'timeline.key';

/**
 * A link to the timeline of a local cluster, signed with the key in its state directory; it can be used once. null: the
 * cluster serves no timeline.
 */
export async function timelineLink(
  folder: string,
  { timeline }: Pick<RunningCluster, 'timeline'>,
): Promise<string | null> {
  if (timeline === undefined) return null;
  return newLink(timeline, (await nodePlatform.files.read(join(folder, KEY_FILE))).trim());
}

/** A timeline that is served over HTTP, with its key. */
interface ServeTimelineOptions {
  readonly store: BarStore;
  readonly key: string;
  /** The port to listen on; 0: any free port. */
  readonly port: number;
  /** The address to listen on; absent: 127.0.0.1. */
  readonly host?: string;
  /** Shown to a client without a cookie, for example "start lifehook ui again". */
  readonly linkAdvice: string;
  /** Called for a request without a cookie, with the host and port that the client requested. */
  readonly onStranger?: (host: string) => void;
}

export interface ServedTimeline {
  /** Example: "http://127.0.0.1:40001" */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const { clock, timers } = nodePlatform;

/** Rejects if the port is in use (EADDRINUSE) or the page was not built. */
export async function serveTimeline(options: ServeTimelineOptions): Promise<ServedTimeline> {
  const { store, key, port, host, linkAdvice, onStranger } = options;
  const page = ownTimelinePage();
  const access = new Access({ key, clock });
  const service = timelineService({
    store,
    access,
    page,
    clock,
    timers,
    linkAdvice,
    onStranger,
  });
  return nodeHttpServer({ service, port, ...(host === undefined ? {} : { host }) });
}

/** The page that was built together with this program. Throws if it was not built. */
export function ownTimelinePage(): TimelinePage {
  return timelinePage(readProgramFile(programFolder(), PAGE_FILE).toString('latin1'));
}
