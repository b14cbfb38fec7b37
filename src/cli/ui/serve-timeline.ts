/** Serves a timeline over HTTP, with its key and its page. */
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
  /** 0: any free port. */
  readonly port: number;
  /** Absent: 127.0.0.1. */
  readonly host?: string;
  /** Shown to a client without a cookie: "start lifehook ui again". */
  readonly linkAdvice: string;
  /** Called with the requested host and port for a request without a cookie. */
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
