import { nodePlatform } from '../../platform/node-platform.ts';
import type { CancelSignal, Timers } from '../../platform/platform.ts';
import type { BarStore } from '../../timeline/bar-store.ts';
import type { KubeOptions } from '../kube-connection.ts';

/** What `lifehook ui` and `lifehook runs` are told. */
export interface SourceOptions extends KubeOptions {
  readonly project?: string;
  /** Of the local cluster; false: look at no cluster. */
  readonly cluster: string | false;
  readonly stateDir?: string;
  readonly records?: string;
}

/** Something that fills the timeline. */
export interface OpenSource {
  readonly name: string;
  /** Resolves when everything that is there was told. */
  readonly listed: () => Promise<void>;
  /** Until the signal ends it. */
  readonly running: () => Promise<void>;
}

export interface Opening {
  readonly store: BarStore;
  readonly signal: AbortSignal;
}

interface Polled {
  readonly readNews: () => Promise<void>;
  readonly follow: (timers: Timers, signal: CancelSignal) => Promise<void>;
}

/** A source that reads files again and again. */
export function polled(name: string, source: Polled, { signal }: Opening): OpenSource {
  return {
    name,
    listed: () => source.readNews(),
    running: () => source.follow(nodePlatform.timers, signal),
  };
}
