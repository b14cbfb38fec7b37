/** A timeline over HTTP, with its key, its page and its links. */
import { nodeHttpServer } from '../../platform/node-http-server.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { nodeRandomness } from '../../platform/node-randomness.ts';
import { Access, type LinkOptions, linkPath } from '../../timeline/access.ts';
import type { BarStore } from '../../timeline/bar-store.ts';
import { readTimelinePage } from '../../timeline/page.ts';
import { timelineService } from '../../timeline/timeline-service.ts';
import { programFolder } from '../program-folder.ts';

export interface ServeTimelineOptions {
  readonly store: BarStore;
  readonly key: string;
  /** 0: whichever is free. */
  readonly port: number;
  /** Absent: 127.0.0.1. */
  readonly host?: string;
  /** For who comes without a cookie: "start lifehook ui again". */
  readonly linkAdvice: string;
  /** A link was used up. */
  readonly onOpened?: () => void;
}

export interface ServedTimeline {
  /** "http://127.0.0.1:40001" */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const { clock, timers, files } = nodePlatform;
const KEY_BYTES = 32;
const NONCE_BYTES = 16;

/** Rejects when the port is taken (EADDRINUSE), or the page was not built. */
export async function serveTimeline(options: ServeTimelineOptions): Promise<ServedTimeline> {
  const { store, key, port, host, linkAdvice, onOpened } = options;
  const page = await readTimelinePage(files, programFolder());
  const access = new Access({ key, clock, ...(onOpened === undefined ? {} : { onOpened }) });
  const service = timelineService({ store, access, page, clock, timers, linkAdvice });
  return nodeHttpServer({ service, port, ...(host === undefined ? {} : { host }) });
}

export function newKey(): string {
  return nodeRandomness.hex(KEY_BYTES);
}

/** The whole address of a link that is good once. */
export function newLink(
  url: string,
  key: string,
  { lastsMs }: Pick<LinkOptions, 'lastsMs'> = {},
): string {
  const nonce = nodeRandomness.hex(NONCE_BYTES);
  const lasts = lastsMs === undefined ? {} : { lastsMs };
  return `${url}${linkPath(key, { nonce, nowMs: clock.nowMs(), ...lasts })}`;
}
