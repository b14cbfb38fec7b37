/** A timeline over HTTP, with its key and its page. */
import { nodeHttpServer } from '../../platform/node-http-server.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { Access } from '../../timeline/access.ts';
import type { BarStore } from '../../timeline/bar-store.ts';
import { PAGE_FILE, type TimelinePage, timelinePage } from '../../timeline/page.ts';
import { timelineService } from '../../timeline/timeline-service.ts';
import { programFolder, readProgramFile } from '../program-files.ts';

export interface ServeTimelineOptions {
  readonly store: BarStore;
  readonly key: string;
  /** 0: whichever is free. */
  readonly port: number;
  /** Absent: 127.0.0.1. */
  readonly host?: string;
  /** For who comes without a cookie: "start lifehook ui again". */
  readonly linkAdvice: string;
  /** Who comes without one has asked for this host and port. */
  readonly onStranger?: (host: string) => void;
}

export interface ServedTimeline {
  /** "http://127.0.0.1:40001" */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const { clock, timers } = nodePlatform;

/** Rejects when the port is taken (EADDRINUSE), or the page was not built. */
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

/** As it was built together with this program. Throws where it was not. */
export function ownTimelinePage(): TimelinePage {
  return timelinePage(readProgramFile(programFolder(), PAGE_FILE).toString('latin1'));
}
